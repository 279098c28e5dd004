// Lets the harness call functions of the tree under test.
//
//   import { serve, tree } from './fairtrial-probe.mjs'
//   const { total } = await import(tree('src/cart.js'))
//   serve({ total })
//
// A function takes and returns plain values, or a promise of one. What it throws is told by the
// names of the error's classes.
import { openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const request = JSON.parse(readFileSync(0, 'utf8'))
const answers = openSync(request.answers, 'a')
unlinkSync(request.answers)
const { stringify } = JSON
const write = writeSync

// The address, for import(), of a file of the tree.
export function tree (file) {
  return pathToFileURL(path.resolve(file)).href
}

// Calls functions as it is asked to, one after the other.
export async function serve (functions) {
  for (const { n, call, args } of request.cases) {
    let answer
    try {
      answer = { value: plain(await functions[call](...args)) }
    } catch (error) {
      answer = { raised: names(error), text: String(error?.message ?? error).slice(0, 300) }
    }
    write(answers, stringify({ nonce: request.nonce, n, ...answer }) + '\n')
  }
}

function plain (value) {
  if (value === undefined || value === null) return null
  if (typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'bigint') return { $number: String(value) }
  if (typeof value === 'number') return Number.isFinite(value) ? value : { $number: String(value) }
  if (Array.isArray(value)) return Array.from(value, plain)
  const parent = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (parent === Object.prototype || parent === null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
  }
  throw new TypeError(`a probe can't return ${value?.constructor?.name ?? typeof value}: make it plain`)
}

function names (error) {
  const found = []
  for (let at = error; at !== null && typeof at === 'object'; at = Object.getPrototypeOf(at)) {
    const name = Object.hasOwn(at, 'constructor') ? at.constructor.name : undefined
    if (name && name !== 'Object') found.push(name)
  }
  if (typeof error?.code === 'string') found.push(error.code)
  return found
}
