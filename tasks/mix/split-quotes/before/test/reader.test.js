import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CsvError, CsvReader } from '../src/reader.js'

function read (...pieces) {
  const rows = []
  const reader = new CsvReader((row) => rows.push(row))
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return rows
}

test('fields and rows', () => {
  assert.deepEqual(read('a,b\n1,2\r\n'), [['a', 'b'], ['1', '2']])
})

test('quotes, doubled quotes and line ends in a field', () => {
  assert.deepEqual(read('"12"" pipe","two\nlines"\n'), [['12" pipe', 'two\nlines']])
})

test('a cut between two fields', () => {
  assert.deepEqual(read('a,', 'b\n'), [['a', 'b']])
})

test('a cut inside a doubled quote', () => {
  assert.deepEqual(read('"12"', '" pipe",7\n'), [['12" pipe', '7']])
})

test('text after a quoted field is refused', () => {
  assert.throws(() => read('"a"b\n'), CsvError)
})

test('an open quote is refused', () => {
  assert.throws(() => read('"a\n'), /not closed/)
})
