import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Queue } from '../src/queue.js'

const later = (value) => new Promise((resolve) => setImmediate(resolve, value))
const failing = async () => { await later(); throw new Error('lost') }

/** Fails where a promise is still open after some turns of the event loop. */
async function soon (promise) {
  const open = Symbol('open')
  let result = open
  promise.then((v) => { result = { v } }, (error) => { result = { error } })
  for (let turn = 0; turn < 50 && result === open; turn++) await later()
  assert.notEqual(result, open, 'the queue has stopped')
  if (result.error) throw result.error
  return result.v
}

test('no more than the given number run at once', async () => {
  const queue = new Queue(2)
  let now = 0
  let most = 0
  const job = async () => { most = Math.max(most, ++now); await later(); now-- }
  await Promise.all(Array.from({ length: 7 }, () => queue.add(job)))
  assert.equal(most, 2)
})

test('the queue goes on after a failed job', async () => {
  const queue = new Queue(1)
  await assert.rejects(queue.add(failing), /lost/)
  assert.equal(queue.running, 0)
  assert.equal(await soon(queue.add(() => later('fine'))), 'fine')
})

test('a job that throws at once rejects what was added', async () => {
  const queue = new Queue(1)
  await assert.rejects(soon(queue.add(() => { throw new TypeError('bad URL') })), /bad URL/)
  assert.equal(await soon(queue.add(() => later('fine'))), 'fine')
})

test('idle after failures', async () => {
  const queue = new Queue(2)
  const all = Promise.allSettled([queue.add(failing), queue.add(failing), queue.add(() => later(1))])
  await soon(queue.idle())
  assert.deepEqual((await all).map((r) => r.status), ['rejected', 'rejected', 'fulfilled'])
})
