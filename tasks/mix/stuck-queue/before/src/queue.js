import { WaitingLine } from './waiting-line.js'

/** Runs asynchronous jobs, never more than a number of them at once. */
export class Queue {
  #places
  #running = 0
  #line = new WaitingLine()
  #idle = []

  constructor (places) {
    if (!Number.isInteger(places) || places < 1) throw new RangeError('a queue has at least one place')
    this.#places = places
  }

  get running () {
    return this.#running
  }

  get waiting () {
    return this.#line.length
  }

  /**
   * Adds a job.
   *
   * @param {() => Promise<T> | T} job
   * @param {{ priority?: number }} [options]
   * @returns {Promise<T>} what the job gives, or its error
   * @template T
   */
  add (job, { priority = 0 } = {}) {
    return new Promise((resolve, reject) => {
      this.#line.add({ job, resolve, reject }, priority)
      this.#startNext()
    })
  }

  /** Resolves when nothing runs and nothing waits. */
  idle () {
    if (this.#running === 0 && this.waiting === 0) return Promise.resolve()
    return new Promise((resolve) => this.#idle.push(resolve))
  }

  #startNext () {
    if (this.#running >= this.#places || this.waiting === 0) return
    const { job, resolve, reject } = this.#line.next()
    this.#running++
    job().then((value) => {
      this.#running--
      resolve(value)
      this.#startNext()
      this.#tellIdle()
    }, reject)
  }

  #tellIdle () {
    if (this.#running > 0 || this.waiting > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}
