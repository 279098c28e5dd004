// Hidden check: many jobs of every kind; each outcome reaches its caller and each place comes back.
import assert from 'node:assert/strict'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const { Queue } = await import(pathToFileURL(path.resolve('src/queue.js')))
const turn = () => new Promise((resolve) => setImmediate(resolve))
const unhandled = []
process.on('unhandledRejection', (error) => unhandled.push(error))
// A queue that has stopped leaves nothing to wait for, and node would just end.
process.exitCode = 1

const kinds = [
  (n) => async () => { await turn(); return n },
  (n) => async () => { await turn(); throw new Error(`late ${n}`) },
  (n) => () => { throw new Error(`at once ${n}`) },
  (n) => () => Promise.reject(new Error(`rejected ${n}`)),
  (n) => () => n,
  (n) => () => ({ then (resolve) { resolve(n) } })
]
for (const places of [1, 2, 3, 8]) {
  const queue = new Queue(places)
  let most = 0
  const outcomes = Array.from({ length: 60 }, (_, n) => {
    const job = kinds[n % kinds.length](n)
    return queue.add(() => { most = Math.max(most, queue.running); return job() })
  })
  let idle = false
  queue.idle().then(() => { idle = true })
  const settled = await Promise.allSettled(outcomes)
  settled.forEach((outcome, n) => {
    const wanted = [n, `late ${n}`, `at once ${n}`, `rejected ${n}`, n, n][n % kinds.length]
    assert.equal(outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message, wanted)
  })
  for (let i = 0; i < 5; i++) await turn()
  assert.ok(idle, 'idle() resolves')
  assert.deepEqual([queue.running, queue.waiting, most], [0, 0, places])
}

const queue = new Queue(1)
const order = []
const first = queue.add(async () => { await turn(); throw new Error('first') }).catch(() => order.push('first'))
queue.add(() => { order.push('low') })
queue.add(() => { order.push('high') }, { priority: 5 })
await first
await queue.idle()
assert.deepEqual(order.filter((name) => name !== 'first'), ['high', 'low'])
assert.deepEqual(unhandled, [])
process.exitCode = 0
