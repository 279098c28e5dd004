import { guess } from './dialect.js'
import { CsvReader } from './reader.js'

/** Reads a whole text with a heading line into objects. */
export function table (text) {
  const rows = []
  const reader = new CsvReader((row) => rows.push(row), guess(text.split('\n', 1)[0]))
  reader.push(text)
  reader.end()
  const [names = [], ...records] = rows
  return records.map((record) => Object.fromEntries(names.map((name, i) => [name, record[i] ?? ''])))
}
