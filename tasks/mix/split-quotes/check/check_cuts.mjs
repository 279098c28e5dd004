// Hidden check: every way to cut a text in two, and single characters, give the rows of the whole.
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { CsvError, CsvReader } = await import(pathToFileURL(path.resolve('src/reader.js')))
const { EXCEL } = await import(pathToFileURL(path.resolve('src/dialect.js')))

function read (pieces, dialect) {
  const rows = []
  const reader = new CsvReader((row) => rows.push(row), dialect)
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return rows
}

const texts = [
  ['"a""b","""","",x\r\n"""c""",""""""\r\n', [['a"b', '"', '', 'x'], ['"c"', '""']]],
  ['"1\r\n2","3""\n"\n4,5', [['1\r\n2', '3"\n'], ['4', '5']]],
  ['"end"""', [['end"']]],
  ['"x"\r\n"y"', [['x'], ['y']]],
  ['\n,\n', [[''], ['', '']]],
  ['', []]
]
for (const [text, wanted] of texts) {
  for (let cut = 0; cut <= text.length; cut++) {
    assert.deepEqual(read([text.slice(0, cut), text.slice(cut)]), wanted, `${JSON.stringify(text)} cut at ${cut}`)
  }
  assert.deepEqual(read([...text]), wanted, `${JSON.stringify(text)} in single characters`)
  assert.deepEqual(read(['', ...[...text].flatMap((c) => [c, ''])]), wanted, 'with empty pieces')
}
assert.deepEqual(read(['"a"', '";b"', ';"c"', ';d'], EXCEL), [['a";b', 'c', 'd']])
for (const pieces of [['"a"', 'b\n'], ['"a', '"', ' ,x']]) {
  assert.throws(() => read(pieces), CsvError, JSON.stringify(pieces))
}
for (const pieces of [['"a"', '"'], ['"'], ['x\n"', 'y""']]) {
  assert.throws(() => read(pieces), /not closed/, JSON.stringify(pieces))
}
