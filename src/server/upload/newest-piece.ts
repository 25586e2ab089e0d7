/** One piece of a file at a time: the newest ends the one before, whose line may be broken without anybody having noticed. */

import { AppError } from '../app-error.ts'

type Body = AsyncIterable<Uint8Array>

export type NewestPiece = {
  /**
   * Runs `add` with the body once what was being added to the same file has ended. The body throws `UPLOAD_OFFSET`
   * as soon as another one comes.
   */
  take<Result>(file: string, body: Body, add: (body: Body) => Promise<Result>): Promise<Result>
}

export function createNewestPiece(): NewestPiece {
  /** What takes no more of a piece; it resolves once what has arrived is written. */
  const underWay = new Map<string, () => Promise<void>>()
  return {
    async take(file, body, add) {
      for (let end = underWay.get(file); end; end = underWay.get(file)) await end()
      const stopped = Promise.withResolvers<never>()
      const over = Promise.withResolvers<void>()
      // Nobody may be waiting for it.
      stopped.promise.catch(() => undefined)
      underWay.set(file, () => {
        stopped.reject(new AppError('UPLOAD_OFFSET'))
        return over.promise
      })
      try {
        return await add(until(body, stopped.promise))
      } finally {
        underWay.delete(file)
        over.resolve()
      }
    },
  }
}

/** The pieces of a body until `stopped` rejects, and then that. */
async function* until(body: Body, stopped: Promise<never>): AsyncGenerator<Uint8Array> {
  const pieces = body[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([pieces.next(), stopped])
    if (next.done) return
    yield next.value
  }
}
