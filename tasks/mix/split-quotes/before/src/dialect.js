/** What separates fields, and what they are quoted with. */
export const EXCEL = Object.freeze({ delimiter: ';', quote: '"' })
export const PLAIN = Object.freeze({ delimiter: ',', quote: '"' })

/** Guesses the dialect by the first line of a file. */
export function guess (firstLine) {
  const count = (char) => firstLine.split(char).length
  return count(';') > count(',') ? EXCEL : PLAIN
}
