import { PLAIN } from './dialect.js'

const FIELD_START = 0
const BARE = 1
const QUOTED = 2
const AFTER_QUOTED = 3

export class CsvError extends Error {
  constructor (problem, row) {
    super(`${problem} (row ${row})`)
    this.name = 'CsvError'
    this.row = row
  }
}

/**
 * Reads CSV text that comes in pieces.
 *
 * Rows are handed to `onRow` as arrays of strings as soon as they are complete. A line ends
 * with LF or CRLF; inside quotes both are part of the field. A quote inside a quoted field is doubled.
 */
export class CsvReader {
  #dialect
  #onRow
  #state = FIELD_START
  #field = ''
  #row = []
  #rows = 0

  constructor (onRow, dialect = PLAIN) {
    this.#onRow = onRow
    this.#dialect = dialect
  }

  /** Takes the next piece of text. */
  push (text) {
    for (let i = 0; i < text.length; i++) {
      const char = text[i]
      if (this.#state === QUOTED) {
        if (char !== this.#dialect.quote) {
          this.#field += char
        } else if (text[i + 1] === this.#dialect.quote) {
          this.#field += char
          i++
        } else {
          this.#state = AFTER_QUOTED
        }
      } else {
        this.#outside(char)
      }
    }
  }

  /** Says that no more text comes. */
  end () {
    if (this.#state === QUOTED) throw new CsvError('a quoted field is not closed', this.#rows + 1)
    if (this.#state !== FIELD_START || this.#row.length > 0) this.#endRow()
  }

  #outside (char) {
    const { delimiter, quote } = this.#dialect
    if (char === delimiter) {
      this.#endField()
    } else if (char === '\n') {
      this.#endRow()
    } else if (char === quote && this.#state === FIELD_START) {
      this.#state = QUOTED
    } else if (this.#state === AFTER_QUOTED && char !== '\r') {
      throw new CsvError('unexpected character after a quoted field', this.#rows + 1)
    } else {
      if (this.#state === FIELD_START) this.#state = BARE
      this.#field += char
    }
  }

  #endField () {
    this.#row.push(this.#field)
    this.#field = ''
    this.#state = FIELD_START
  }

  #endRow () {
    if (this.#field.endsWith('\r')) this.#field = this.#field.slice(0, -1)
    this.#endField()
    this.#rows++
    this.#onRow(this.#row)
    this.#row = []
  }
}
