/** Runs families of attacks: every case is sent and judged, and what must stay is compared. */

import fc, { type Arbitrary } from 'fast-check'
import { expect, type TestContext, vi } from 'vitest'
import { HOSTILE_CASES, SEED } from '../tier.ts'
import { chosen } from './chosen.ts'
import { hasPollution, judge } from './oracle.ts'
import { call } from './requests.ts'
import type { Answer, HostileRequest, Target } from './target.ts'

/** One hostile request and what may become of it. */
export type Attack = {
  readonly name: string
  readonly request: HostileRequest
  readonly allowed: readonly number[]
  /** What else is wrong with the answer, in words. */
  readonly check?: (answer: Answer) => string | undefined
}

export type Outcome = { readonly cases: number; readonly failures: readonly string[] }

declare module 'vitest' {
  interface TaskMeta {
    /** Hostile cases that a test ran, by family. */
    hostile?: { family: string; cases: number }
  }
}

/** Cases that are the same in every run, and those that a plain run draws by chance. */
const [FIXED, DRAWN] = [20_000, 12_000]
const SCALE = (HOSTILE_CASES - FIXED) / DRAWN

// Greater runs take longer, test by test.
vi.setConfig({ testTimeout: 180_000 * SCALE })

/** `count` random cases of a plain run, more in greater ones. */
export const draw = <T>(arbitrary: Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns: Math.round(count * SCALE) })

/** As many random cases as that, in every run. */
export const drawn = <T>(arbitrary: Arbitrary<T>, count: number): T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns: Math.ceil(count) })

/** Characters of every kind, the plain ones more often. */
const anyChar = fc
  .oneof(fc.nat(0x7f), fc.nat(0x7ff), fc.nat(0x10ffff))
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))

/** Texts of any characters, none of them halved. */
export const anyText = (maxLength: number) => fc.string({ unit: anyChar, maxLength })

/** Sends all cases and says what went wrong, at most so many words of it. */
export async function attack(
  target: Target,
  cases: Iterable<Attack>,
  send: Target['send'] = target.send,
): Promise<Outcome> {
  const failures: string[] = []
  let count = 0
  for (const { name, request, allowed, check } of cases) {
    count++
    const answer = await send(request)
    const wrong = judge(answer, request, allowed, target.secrets)
    const more = check?.(answer)
    if (more !== undefined) wrong.push(more)
    if (wrong.length > 0) failures.push(`${name}: ${wrong.join('; ')}`)
  }
  return { cases: count, failures }
}

/** Asserts that a family changes nothing, learns nothing, and hurts nobody. */
export async function withstand(
  target: Target,
  { task }: Pick<TestContext, 'task'>,
  family: string,
  cases: Iterable<Attack>,
  send?: Target['send'],
): Promise<void> {
  const before = target.contents()
  const { cases: count, failures } = await attack(target, chosen(cases), send)
  record(task, family, count)
  expect(failures.slice(0, 20), `${failures.length} of ${count} cases, seed ${SEED}`).toEqual([])
  expect(target.complaints, 'logged or left unhandled').toEqual([])
  expect(target.contents(), 'data and records').toBe(before)
  expect(hasPollution(), 'Object.prototype').toBe(false)
  await expectService(target)
}

/** Notes for the report how many cases a test ran. */
export function record(task: TestContext['task'], family: string, cases: number): void {
  task.meta.hostile = { family, cases: (task.meta.hostile?.cases ?? 0) + cases }
}

/** The people whose sessions were abused can still work in them. */
export async function expectService(target: Target): Promise<void> {
  for (const person of Object.values(target.people)) {
    const answer = await target.send(call(person, 'list', { method: 'setSize', params: [50] }))
    expect(answer.status, answer.body).toBe(200)
    expect(answer.body).toContain('"view":')
  }
}
