import { slug } from './slug.js'

/**
 * Makes a slug that is not taken yet.
 *
 * @param {string} title
 * @param {(slug: string) => boolean} isTaken
 * @returns {string}
 */
export function uniqueSlug (title, isTaken) {
  const wanted = slug(title) || 'page'
  if (!isTaken(wanted)) return wanted
  for (let number = 2; ; number++) {
    const next = `${wanted}-${number}`
    if (!isTaken(next)) return next
  }
}
