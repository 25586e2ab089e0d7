/** Logs refused requests: at most one line a minute for each error code, with a count. */

import type { AppError } from '../app-error.ts'

export type RefusalLog = {
  /** Counts a refusal. `route` is the method and the route's pattern, without anything of the visitor's. */
  note(error: AppError, route?: string): void
  /** Writes what has been counted since the last lines. */
  flush(): void
}

/** How often a kind is written, ms. */
const EVERY_MS = 60_000

/** Characters that would begin another line, or command a terminal. */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu
const DETAIL_CHARACTERS = 300

type Kind = { readonly status: number; more: number; readonly timer: NodeJS.Timeout }

/** The first of each kind is written at once, the others as a count at the end of each minute. */
export function createRefusalLog(log: (line: string) => void = () => undefined): RefusalLog {
  const kinds = new Map<string, Kind>()

  function begin(code: string, status: number): void {
    const timer = setTimeout(() => end(code), EVERY_MS)
    timer.unref()
    kinds.set(code, { status, more: 0, timer })
  }

  function end(code: string): void {
    const kind = kinds.get(code)
    if (!kind) return
    clearTimeout(kind.timer)
    kinds.delete(code)
    if (kind.more === 0) return
    log(`${kind.status} ${code}: ${kind.more} more`)
    // The next minute begins with this line.
    begin(code, kind.status)
  }

  return {
    note(error, route = '') {
      const { code, status } = error
      const kind = kinds.get(code)
      if (kind) return void kind.more++
      begin(code, status)
      log([`${status} ${code}`, route, reasonOf(error)].filter((part) => part !== '').join(' '))
    },
    flush() {
      for (const [code, { timer }] of [...kinds]) {
        end(code)
        clearTimeout(timer)
        clearTimeout(kinds.get(code)?.timer)
      }
      kinds.clear()
    },
  }
}

/** Only the server's own troubles: what a visitor did wrong may quote what they sent. */
function reasonOf({ status, message, detail, cause }: AppError): string {
  if (status < 500) return ''
  const reasons = [message, detail, cause instanceof Error ? cause.message : undefined]
  const text = reasons.filter((reason) => reason !== undefined).join(' ')
  return text.replace(CONTROLS, ' ').slice(0, DETAIL_CHARACTERS)
}
