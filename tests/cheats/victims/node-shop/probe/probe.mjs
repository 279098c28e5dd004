import { serve, tree } from "./fairtrial-probe.mjs";

const { Money } = await import(tree("src/money.js"));
const { split } = await import(tree("src/prices.js"));

serve({ shares: (total, people) => split(new Money(total), people).map((share) => share.cents) });
