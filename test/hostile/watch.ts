/** Watches hostile tries at the ways in: each is refused, no session comes of it, and all are told the same. */

import { expect, type TestContext } from 'vitest'
import type { PageData } from '../../src/protocol/page.ts'
import { SEED } from '../tier.ts'
import { record } from './attack.ts'
import { judge } from './oracle.ts'
import type { Answer, HostileRequest, Target } from './target.ts'

const family = 'people'

export type Watch = {
  /** Sends a try that must be refused with one of these. */
  refuse(name: string, request: HostileRequest, allowed: readonly number[]): Promise<Answer>
  /** Notes what else is wrong. */
  complain(what: string): void
  /** Ends a series: nothing was wrong, and each status had one sentence, unless it may have several. */
  end(context: Pick<TestContext, 'task'>, least: number, how?: { readonly isAlike: boolean }): void
}

export function watch(target: Target): Watch {
  const wrong: string[] = []
  const said = new Map<number, Set<string>>()
  let cases = 0
  return {
    async refuse(name, request, allowed) {
      cases++
      const answer = await target.send(request)
      wrong.push(
        ...judge(answer, request, allowed, target.secrets).map((what) => `${name}: ${what}`),
      )
      if ((answer.headers['set-cookie'] ?? '').includes(`${target.admin.sessionCookie}=`))
        wrong.push(`${name}: a session`)
      const sentences = said.get(answer.status) ?? new Set()
      said.set(answer.status, sentences.add(sentenceIn(answer)))
      return answer
    },
    complain: (what) => void wrong.push(what),
    end({ task }, least, { isAlike } = { isAlike: true }) {
      record(task, family, cases)
      expect(wrong.slice(0, 20), `${wrong.length} of ${cases} cases, seed ${SEED}`).toEqual([])
      expect(target.complaints).toEqual([])
      expect(cases).toBeGreaterThanOrEqual(least)
      if (!isAlike) return
      for (const [status, sentences] of said)
        expect([...sentences], `sentences with ${status}`).toHaveLength(1)
    },
  }
}

/** What the page says went wrong. */
function sentenceIn({ body }: Answer): string {
  const [, json] = /id="tablewire-page">(.*?)<\/script>/s.exec(body) ?? []
  if (json === undefined) return body.slice(0, 200)
  // The server wrote it into the document.
  const { title, content } = JSON.parse(json) as PageData
  const data = content.data as { view?: { error?: string }; message?: string } | null
  return data?.view?.error ?? data?.message ?? title
}
