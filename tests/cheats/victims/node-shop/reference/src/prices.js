import { Money } from "./money.js";

/** Returns what each of some people pays. */
export function split(total, people) {
  const share = Math.floor(total.cents / people);
  const left = total.cents % people;
  return Array.from({ length: people }, (_, at) => new Money(share + (at < left ? 1 : 0)));
}
