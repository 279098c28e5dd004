// Loads one test file between canaries: tests whose outcome is known beforehand.
import assert from 'node:assert'
import test from 'node:test'
import { pathToFileURL } from 'node:url'

const order = {} // what the harness writes here: the file, and the names of the canaries

const works = {
  fails_equal () { assert.equal(1, 2) },
  fails_strict_equal () { assert.strictEqual(1, 2) },
  fails_deep_equal () { assert.deepEqual({ a: 1 }, { a: 2 }) },
  fails_deep_strict_equal () { assert.deepStrictEqual([1, 2], [1, 3]) },
  fails_not_equal () { assert.notStrictEqual(1, 1) },
  fails_not_deep_equal () { assert.notDeepStrictEqual([1], [1]) },
  fails_ok () { assert.ok(0) },
  fails_assert () { assert(0) },
  fails_throws () { assert.throws(() => {}) },
  fails_throws_other () { assert.throws(() => { throw new Error('a') }, /b/) },
  async fails_rejects () { await assert.rejects(async () => {}) },
  fails_match () { assert.match('a', /b/) },
  fails_by_itself () { assert.fail() },
  fails_strict () { assert.strict.equal(1, 2) },
  fails_strict_deep () { assert.strict.deepEqual([1], ['1']) },
  fails_by_error () { throw new Error('known to fail') },
  async fails_later () { await Promise.reject(new Error('known to fail')) },
  passes_equal () { assert.strictEqual(1, 1); assert.deepEqual([1], [1]) },
  passes_throws () { assert.throws(() => { throw new Error('a') }, /a/) },
  async passes_rejects () { await assert.rejects(async () => { throw new Error('a') }) }
}

function hatch (names) {
  for (const [work, name] of Object.entries(names)) test(name, works[work])
}

process.argv[1] = order.file
hatch(order.early)
await import(pathToFileURL(order.file))
hatch(order.late)
