import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uniqueSlug } from '../src/index.js'

test('the first free number is taken', () => {
  const taken = new Set(['news', 'news-2'])
  assert.equal(uniqueSlug('News', (s) => taken.has(s)), 'news-3')
})

test('a title without letters has a slug', () => {
  assert.equal(uniqueSlug('!!!', () => false), 'page')
})
