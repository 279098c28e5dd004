import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from '../src/index.js'

test('words are joined', () => {
  assert.equal(slug('  Ten Ways, to Cook – Rice! '), 'ten-ways-to-cook-rice')
})

test('accents are lost, however they were typed', () => {
  assert.equal(slug('Cre\u0300me bru\u0302le\u0301e'), 'creme-brulee')
  assert.equal(slug('Crème brûlée'), 'creme-brulee')
})

test('some letters are spelled out', () => {
  assert.equal(slug('Große Łódź'), 'grosse-lodz')
})

test('a ligature counts as its letters', () => {
  assert.equal(slug('The \ufb01rst \ufb02ight'), 'the-first-flight')
})

test('long titles are cut between words', () => {
  assert.equal(slug('word '.repeat(20)), Array(12).fill('word').join('-'))
})
