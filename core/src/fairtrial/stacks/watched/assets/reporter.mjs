// A reporter of node's test runner: one line an outcome, each after a secret that only the runner's
// own process has read, which never loads a file of the graded tree.
import { readFileSync } from 'node:fs'

const secret = readFileSync(0, 'utf8')

function told (type, data) {
  const error = data.details?.error
  return {
    type,
    name: data.name,
    nesting: data.nesting,
    file: data.file ?? '',
    suite: data.details?.type === 'suite',
    skipped: (data.skip !== undefined && data.skip !== false) || (data.todo !== undefined && data.todo !== false),
    note: error ? String(error.cause?.stack ?? error.cause ?? error.message).slice(0, 1500) : ''
  }
}

export default async function * report (source) {
  for await (const { type, data } of source) {
    if (type === 'test:start' || type === 'test:pass' || type === 'test:fail') {
      yield `${secret} ${JSON.stringify(told(type, data))}\n`
    } else if (type === 'test:stdout' || type === 'test:stderr') {
      yield `${secret} ${JSON.stringify({ type, note: String(data.message).slice(0, 4000) })}\n`
    }
  }
  yield `${secret} ${JSON.stringify({ type: 'end' })}\n`
}
