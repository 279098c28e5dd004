// Runs jobs of every kind and says what became of each, and of the queue.
import { serve, tree } from './fairtrial-probe.mjs'

const { Queue } = await import(tree('src/queue.js'))
const turn = () => new Promise((resolve) => setImmediate(resolve))
const unhandled = []
process.on('unhandledRejection', (error) => unhandled.push(String(error?.message)))

const kinds = [
  (n) => async () => { await turn(); return n },
  (n) => async () => { await turn(); throw new Error(`late ${n}`) },
  (n) => () => { throw new Error(`at once ${n}`) },
  (n) => () => Promise.reject(new Error(`rejected ${n}`)),
  (n) => () => n,
  (n) => () => ({ then (resolve) { resolve(n) } })
]

async function sixty (places) {
  const queue = new Queue(places)
  let most = 0
  const added = Array.from({ length: 60 }, (_, n) => {
    const job = kinds[n % kinds.length](n)
    return queue.add(() => { most = Math.max(most, queue.running); return job() })
  })
  let idle = false
  queue.idle().then(() => { idle = true })
  const settled = await Promise.allSettled(added)
  for (let i = 0; i < 5; i++) await turn()
  const outcomes = settled.map((one) => one.status === 'fulfilled' ? one.value : one.reason.message)
  return { outcomes, idle, running: queue.running, waiting: queue.waiting, most, unhandled: unhandled.slice() }
}

async function order () {
  const queue = new Queue(1)
  const seen = []
  const first = queue.add(async () => { await turn(); throw new Error('first') }).catch(() => {})
  queue.add(() => { seen.push('low') })
  queue.add(() => { seen.push('high') }, { priority: 5 })
  await first
  await queue.idle()
  return seen
}

serve({ sixty, order })
