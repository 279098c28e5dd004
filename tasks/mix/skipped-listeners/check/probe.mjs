// Emits events whose listeners change the list of listeners.
import { createRequire } from 'node:module'
import { serve, tree } from './fairtrial-probe.mjs'

const EventEmitter = createRequire(import.meta.url)(new URL(tree('events.js')).pathname)

function calls (setUp, emits) {
  const emitter = new EventEmitter()
  const seen = []
  setUp(emitter, seen)
  return Array.from({ length: emits }, () => {
    seen.length = 0
    emitter.emit('tick')
    return seen.join('')
  })
}

serve({
  removesItself: () => calls((e, seen) => {
    e.on('tick', function a () { seen.push('a'); e.off('tick', a) })
    e.on('tick', () => seen.push('b'))
    e.on('tick', () => seen.push('c'))
  }, 2),
  once: (names) => calls((e, seen) => {
    for (const name of names) e.once('tick', () => seen.push(name))
  }, 2),
  putInFront: () => calls((e, seen) => {
    let first = true
    e.on('tick', () => {
      seen.push('a')
      if (first) e.prependListener('tick', () => seen.push('p'))
      first = false
    })
    e.on('tick', () => seen.push('b'))
  }, 2),
  removesAll: () => calls((e, seen) => {
    e.on('tick', () => { seen.push('a'); e.removeAllListeners('tick') })
    e.on('tick', () => seen.push('b'))
  }, 2),
  removesALaterOne: () => calls((e, seen) => {
    const later = () => seen.push('d')
    e.on('tick', () => { seen.push('a'); e.off('tick', later) })
    e.on('tick', () => seen.push('b'))
    e.on('tick', later)
  }, 2)
})
