// Letters that no decomposition turns into plain ones.
const SPELLED = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ı', 'i'],
  ['ł', 'l'],
  ['þ', 'th']
])

/** Spells out what has no accent to lose. Takes lower-case text. */
export function spellOut (text) {
  return text.replace(/[^\x00-\x7f]/gu, (letter) => SPELLED.get(letter) ?? letter)
}

/** Takes the accents off letters. */
export function withoutAccents (text) {
  return text.normalize('NFC').replace(/\p{Mn}/gu, '')
}
