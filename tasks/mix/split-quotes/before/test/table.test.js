import assert from 'node:assert/strict'
import { test } from 'node:test'
import { table } from '../src/table.js'

test('a table with the semicolon dialect', () => {
  assert.deepEqual(table('name;price\npipe;1,50\n'), [{ name: 'pipe', price: '1,50' }])
})

test('missing fields are empty', () => {
  assert.deepEqual(table('a,b\n1\n'), [{ a: '1', b: '' }])
})
