/** Splits long texts into short notices with sender, number and position, and puts them together again. */

/** Characters of a text in one notice: with what stands before them, fewer than 8,000 bytes. */
const PART = 7800
/** Notices of one text: about 12 MB. */
const PARTS = 2000
/** Characters of texts that are not yet whole; past them all begin anew. */
const HELD = 32 * 1024 * 1024

const NOTICE = /^([\w-]{1,40}) (\d{1,15}) (\d{1,4}) (\d{1,4}) ([\w+/=]*)$/

/** `undefined` if the text is too long. */
export function noticesOf(sender: string, number: number, text: string): string[] | undefined {
  // Only signs that any encoding of the server has.
  const base64 = Buffer.from(text).toString('base64')
  const count = Math.max(1, Math.ceil(base64.length / PART))
  if (count > PARTS) return undefined
  return Array.from({ length: count }, (_, at) => {
    const part = base64.slice(at * PART, (at + 1) * PART)
    return `${sender} ${number} ${at} ${count} ${part}`
  })
}

type Begun = { readonly number: string; readonly count: number; readonly parts: string[] }

/** Puts notices together again. Parts that are out of order, or begin with no first part, are dropped. */
export class NoticeReader {
  readonly #own: string
  readonly #begun = new Map<string, Begun>()
  #held = 0

  /** Notices of this sender are its own. */
  constructor(own: string) {
    this.#own = own
  }

  /** The text that this notice completes, if it does. */
  read(notice: string): string | undefined {
    const [, sender = '', number = '', at = '', of = '', part = ''] = NOTICE.exec(notice) ?? []
    if (sender === '' || sender === this.#own) return undefined
    const count = Number(of)
    if (count === 1 && at === '0') return decoded([part])
    if (at === '0') this.#drop(sender)
    const begun = this.#begun.get(sender) ?? { number, count, parts: [] }
    const isNext = begun.number === number && begun.count === count
    if (!isNext || begun.parts.length !== Number(at) || count > PARTS) {
      this.#drop(sender)
      return undefined
    }
    begun.parts.push(part)
    this.#held += part.length
    if (begun.parts.length === count) {
      this.#drop(sender)
      return decoded(begun.parts)
    }
    this.#begun.set(sender, begun)
    if (this.#held > HELD) this.clear()
    return undefined
  }

  clear(): void {
    this.#begun.clear()
    this.#held = 0
  }

  #drop(sender: string): void {
    const parts = this.#begun.get(sender)?.parts ?? []
    this.#begun.delete(sender)
    this.#held -= parts.reduce((sum, part) => sum + part.length, 0)
  }
}

const decoded = (parts: readonly string[]): string =>
  Buffer.from(parts.join(''), 'base64').toString()
