/** A flood of sign-ins: it keeps nobody out of a browser they have used before, and fills no log. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { FLOOD_MS, isPlain } from '../tier.ts'
import { record } from './attack.ts'
import { openForm, postForm, type Visitor } from './sign-ins.ts'
import { type Answer, openTarget, PASSWORD, type Target } from './target.ts'
import { makeOffice } from './worlds.ts'

const family = 'sign-in'
/** Attempts of strangers that are under way at any time. */
const PARALLEL = 64
/** Sign-ins from a known browser during the flood; an account has thirty attempts a minute. */
const SIGN_INS = isPlain ? 5 : 20
/** Longest that one of them may take in runs that are long enough to tell, ms. */
const LONGEST_MS = 2000
const LOG_BYTES = 20_000

let target: Target
let visitor: Visitor
let logged: string
/** The time at which the clock stands still, if it does. */
let stopped: number | undefined

beforeEach(async () => {
  logged = ''
  stopped = undefined
  target = await openTarget({
    prepare: (file) => makeOffice(file, 'one'),
    table: 'notes',
    now: () => stopped ?? Date.now(),
    // As the command writes it.
    log: (line, error) => {
      logged += `${line} ${error instanceof Error ? error.stack : ''}\n`
    },
  })
  visitor = await openForm(target)
})
let flood: Flood | undefined
afterEach(async () => {
  // Also after a failure, nobody must ask a server that is closed.
  await flood?.end()
  flood = undefined
  await target.close()
})

const signIn = (cookie: string, email: string, password = PASSWORD): Promise<Answer> =>
  target.send(
    postForm('/sign-in', { cookie }, { _token: visitor.csrf, email, password, next: '/' }),
  )

/** The cookie by which a browser is known after a sign-in, with that of the form. */
function browserOf({ headers }: Answer): string {
  const cookies = (headers['set-cookie'] ?? '').split(' | ')
  const known = cookies.find((cookie) => /^[^=]*_browser=/.test(cookie))
  expect(known).toMatch(/; HttpOnly; SameSite=Lax/)
  expect(known).toMatch(/; Max-Age=34560000;/)
  return `${visitor.cookie}; ${known!.split(';', 1)[0]}`
}

type Flood = { end(): Promise<Record<number, number>> }

/** Strangers from everywhere, after this account and others, until `end` resolves to their answers. */
function startFlood(email: string): Flood {
  const statuses: Record<number, number> = {}
  let isOver = false
  let count = 0
  const attempting = async (): Promise<void> => {
    while (!isOver) {
      const other = `stranger${count}@example.org`
      const { status } = await signIn(visitor.cookie, count++ % 2 ? email : other, 'a wrong guess')
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  const attempts = Array.from({ length: PARALLEL }, attempting)
  return {
    async end() {
      isOver = true
      await Promise.all(attempts)
      return statuses
    },
  }
}

test(
  'who has signed in from their browser before gets in during a flood',
  async ({ task }) => {
    const { email } = target.people.editor
    let browser = browserOf(await signIn(visitor.cookie, email))
    const before = logged.length
    flood = startFlood(email)
    const start = performance.now()
    const taken: number[] = []
    for (let i = 1; i <= SIGN_INS; i++) {
      await expect
        .poll(() => performance.now() - start, { timeout: FLOOD_MS + 30_000 })
        .toBeGreaterThan((FLOOD_MS * i) / SIGN_INS)
      // A browser without the cookie is one of the strangers.
      expect([429, 503]).toContain((await signIn(visitor.cookie, email)).status)
      const began = performance.now()
      const answer = await signIn(browser, email)
      taken.push(performance.now() - began)
      expect(answer.status).toBe(303)
      browser = browserOf(answer)
    }
    const statuses = await flood.end()
    const longest = Math.max(...taken)
    const bytes = logged.length - before
    record(
      task,
      family,
      Object.values(statuses).reduce((sum, count) => sum + count, 0),
    )
    console.log(
      `flood of ${(FLOOD_MS / 1000).toFixed(0)} s: ${JSON.stringify(statuses)}; known sign-ins at most ${longest.toFixed(0)} ms; the log grew by ${bytes} bytes`,
    )
    expect(
      Object.keys(statuses).filter((status) => !['401', '429', '503'].includes(status)),
    ).toEqual([])
    expect(bytes).toBeLessThan(LOG_BYTES)
    expect(logged).not.toContain('    at ')
    if (!isPlain) expect(longest).toBeLessThan(LONGEST_MS)
  },
  FLOOD_MS * 2 + 60_000,
)

test('a known browser counts for the account that signed in there, and for no other', async ({
  task,
}) => {
  stopped = Date.now()
  const { editor, viewer } = target.people
  const browser = browserOf(await signIn(visitor.cookie, editor.email))
  // Thirty attempts a minute are everybody's together, unless the browser is known.
  const guesses = async (email: string) => {
    await Promise.all(
      Array.from({ length: 30 }, () => signIn(visitor.cookie, email, 'a wrong guess')),
    )
  }
  await guesses(viewer.email)
  expect((await signIn(browser, viewer.email)).status).toBe(429)
  await guesses(editor.email)
  expect((await signIn(browser, editor.email)).status).toBe(303)
  // Its own limit is small.
  const statuses = []
  for (let i = 0; i < 6; i++)
    statuses.push((await signIn(browser, editor.email, 'a wrong guess')).status)
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429])
  record(task, family, 68)
})
