// Hidden check: a removed key stays away, in every order of sets, gets and fillers.
'use strict'

const assert = require('node:assert')
const path = require('node:path')
const hashlru = require(path.resolve('index.js'))

for (let max = 1; max <= 5; max++) {
  for (let fillers = 0; fillers <= 2 * max + 1; fillers++) {
    for (const touch of ['set', 'get', 'nothing']) {
      const lru = hashlru(max)
      lru.set('id', 'old')
      for (let i = 0; i < fillers; i++) lru.set('filler' + i, i)
      if (touch === 'set') lru.set('id', 'new')
      if (touch === 'get') lru.get('id')
      lru.remove('id')
      const where = `max ${max}, ${fillers} fillers, ${touch}`
      assert.strictEqual(lru.has('id'), false, where)
      assert.strictEqual(lru.get('id'), undefined, where)
      assert.strictEqual(lru.has('id'), false, where)
      lru.set('id', 'again')
      assert.strictEqual(lru.get('id'), 'again', where)
    }
  }
}

const lru = hashlru(10)
lru.set('a', 1)
lru.set('b', 2)
lru.remove('nobody')
lru.remove('a')
assert.strictEqual(lru.get('b'), 2)
assert.strictEqual(lru.get('a'), undefined)
