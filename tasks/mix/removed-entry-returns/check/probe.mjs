// Removes a key after every order of sets, gets and fillers.
import { createRequire } from 'node:module'
import { serve, tree } from './fairtrial-probe.mjs'

const hashlru = createRequire(import.meta.url)(new URL(tree('index.js')).pathname)

function removed (max, fillers, touch) {
  const lru = hashlru(max)
  lru.set('id', 'old')
  for (let i = 0; i < fillers; i++) lru.set('filler' + i, i)
  if (touch === 'set') lru.set('id', 'new')
  if (touch === 'get') lru.get('id')
  lru.remove('id')
  const seen = [lru.has('id'), lru.get('id'), lru.has('id')]
  lru.set('id', 'again')
  return [...seen, lru.get('id')]
}

function others () {
  const lru = hashlru(10)
  lru.set('a', 1)
  lru.set('b', 2)
  lru.remove('nobody')
  lru.remove('a')
  return [lru.get('b'), lru.get('a')]
}

serve({ removed, others })
