// Reads texts in pieces, cut at every place, and says which rows came out.
import { serve, tree } from './fairtrial-probe.mjs'

const { CsvReader } = await import(tree('src/reader.js'))
const { EXCEL } = await import(tree('src/dialect.js'))

function read (pieces, dialect) {
  const rows = []
  const reader = new CsvReader((row) => rows.push(row), dialect)
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return rows
}

serve({
  cutInTwo: (text) => Array.from({ length: text.length + 1 }, (_, at) => read([text.slice(0, at), text.slice(at)])),
  single: (text) => read([...text]),
  withEmpty: (text) => read(['', ...[...text].flatMap((c) => [c, ''])]),
  excel: (pieces) => read(pieces, EXCEL),
  pieces: (pieces) => read(pieces),
  notClosed: (pieces) => {
    try {
      return read(pieces)
    } catch (error) {
      return /not closed/.test(error.message)
    }
  }
})
