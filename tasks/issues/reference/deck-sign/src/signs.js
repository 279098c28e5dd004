/** Signs on board. */

/** Returns the text of the sign at a deck's door, with the deck's name where it has one. */
export function deck(number, name) {
  return name ? `Deck ${number}: ${name}` : `Deck ${number}`;
}
