/** Signs on board. */

/** Returns the text of the sign at a deck's door. */
export function deck(number) {
  return `Deck ${number}`;
}
