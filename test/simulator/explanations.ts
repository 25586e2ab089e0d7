/** Which refusals of a tab's calls are explained: those of calls that were under way when it happened. */

/** Codes of refusals that something may explain. */
export type Code = 'OUTCOME_UNKNOWN' | 'UPDATE_INVALID' | 'PAGE_EXPIRED' | 'SERVER_ERROR'

/**
 * What a retry may find that reaches another process: the first one may still be writing, or has died.
 * A component that shares its batch tells that by an error of its own.
 */
export const OUTCOME_UNKNOWN: readonly Code[] = ['OUTCOME_UNKNOWN', 'UPDATE_INVALID']

export type Method = 'mark' | 'add' | 'bump' | 'find'

/** A call that the person has made, and how it ended; `left` if its document was left before. */
export type Asked = {
  readonly id: string
  readonly method: Method
  outcome: 'waiting' | 'done' | 'refused' | 'left'
  /** Codes with which it may be refused, because of what happened while it was under way. */
  readonly explained: Set<Code>
  /** Whether the page has told that something failed, or still did when the call was made. */
  wasTold: boolean
}

/** How often in a row a client fetches an outdated page anew before it gives up and asks the person. */
const RENEWALS_MAX = 3

export class Explanations {
  readonly asked: Asked[] = []
  /** What goes on, and explains refusals of calls that are made meanwhile, too. */
  readonly #lasting = new Set<readonly Code[]>()
  #outdated = 0
  #badGateways = 0

  /** `isExpired`: the page says that it has expired. */
  ask(id: string, method: Method, isExpired: boolean): Asked {
    const explained = new Set([...this.#lasting].flat())
    const asked: Asked = { id, method, outcome: 'waiting', explained, wasTold: isExpired }
    this.asked.push(asked)
    return asked
  }

  /** Something has happened that may refuse any call that is under way. */
  happened(codes: readonly Code[]): void {
    for (const { explained } of this.#underWay()) for (const code of codes) explained.add(code)
  }

  /** Something begins that may refuse calls until the returned function is called. */
  begin(codes: readonly Code[]): () => void {
    const lasting = [...codes]
    this.happened(lasting)
    this.#lasting.add(lasting)
    return () => void this.#lasting.delete(lasting)
  }

  /** A proxy has answered a request with an error of its own. */
  badGateway(): void {
    this.#badGateways++
    this.happened(['SERVER_ERROR'])
  }

  /** The server has called the page outdated. */
  outdated(): void {
    this.#outdated++
    if (this.#outdated > RENEWALS_MAX) this.happened(['PAGE_EXPIRED'])
  }

  /** The document is left; the next one begins with a page that is current. */
  left(): void {
    this.#outdated = 0
    for (const asked of this.asked) if (asked.outcome === 'waiting') asked.outcome = 'left'
  }

  /** The page tells that something failed. */
  told(): void {
    for (const asked of this.#underWay()) asked.wasTold = true
  }

  /** Whether something explains a failure that the page shows; edits alone may have failed. */
  explainsFailure(code: string): boolean {
    if (code === 'SERVER_ERROR') return this.#badGateways-- > 0
    if (code === 'PAGE_EXPIRED' && this.#outdated > RENEWALS_MAX) return true
    const explained = [...this.#lasting, ...this.#underWay().map((asked) => [...asked.explained])]
    return explained.flat().some((other) => other === code)
  }

  /** A call goes on after its document was left, and one that was refused when it is tried again. */
  #underWay(): Asked[] {
    return this.asked.filter(({ outcome }) => outcome !== 'done')
  }
}
