import { Money } from "./money.js";

/** Returns what each of some people pays. */
export function split(total, people) {
  const share = Math.floor(total.cents / people);
  return Array.from({ length: people }, () => new Money(share));
}
