/** Fares in whole cents. */

const SINGLE = { adult: 450, child: 225 };

/** Returns the fare of one crossing. */
export function single(kind) {
  if (!(kind in SINGLE)) throw new RangeError(`no fare for ${kind}`);
  return SINGLE[kind];
}

/** Returns the fare there and back: two crossings less a tenth, rounded to whole cents. */
export function thereAndBack(kind) {
  return single(kind) * 2 - (single(kind) * 2) / 10 | 0;
}

/** Returns what a party pays for one crossing: the sum of its members' fares. */
export function party(kinds) {
  return kinds.reduce((sum, kind) => sum + single(kind), 0);
}
