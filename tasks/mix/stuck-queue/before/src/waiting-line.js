/** Entries by priority, the higher first; first come, first served within one. */
export class WaitingLine {
  #entries = []

  get length () {
    return this.#entries.length
  }

  add (entry, priority = 0) {
    let place = this.#entries.length
    while (place > 0 && this.#entries[place - 1].priority < priority) place--
    this.#entries.splice(place, 0, { entry, priority })
  }

  next () {
    return this.#entries.shift()?.entry
  }
}
