// Hidden check: the package's own tests. They are written for the runner `tape`; the few calls they make of it stand below.
'use strict'

const assert = require('node:assert')
const fs = require('node:fs')
const Module = require('node:module')
const path = require('node:path')

const finish = []
const tape = () => { throw new Error('only the files are run, not the index') }
tape.onFinish = (done) => finish.push(done)
const stand_ins = { tape, has: (object, key) => Object.prototype.hasOwnProperty.call(object, key) }
const load = Module._load
Module._load = function (name, ...rest) {
  return Object.hasOwn(stand_ins, name) ? stand_ins[name] : load.call(this, name, ...rest)
}

async function ownTests () {
  const folder = path.resolve('tests')
  const common = require(path.join(folder, 'common.js'))
  require(path.join(folder, 'legacy-compat.js'))
  const files = fs.readdirSync(folder).filter((f) => f.endsWith('.js') && !['index.js', 'common.js', 'legacy-compat.js'].includes(f))
  assert.ok(files.length > 15, 'the own tests are there')
  for (const file of files) {
    const ends = []
    common.test = { on: (event, run) => { if (event === 'end') ends.push(run) }, comment () {} }
    await require(path.join(folder, file))
    for (const run of ends) run()
  }
  for (const done of finish) done()
}

ownTests().then(() => process.exit(0), (error) => { console.error(error); process.exit(1) })
