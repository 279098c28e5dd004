import { spellOut, withoutAccents } from './letters.js'

const LONGEST = 60

function cut (text) {
  if (text.length <= LONGEST) return text
  const end = text.lastIndexOf('-', LONGEST)
  return end > 0 ? text.slice(0, end) : text.slice(0, LONGEST)
}

/**
 * Makes a slug of a title.
 *
 * @param {string} title
 * @returns {string} empty where no letter or digit is left
 */
export function slug (title) {
  const plain = spellOut(withoutAccents(title).toLowerCase())
  return cut(plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, ''))
}
