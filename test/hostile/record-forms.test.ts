/** Hostile forms without script: nothing hidden is written, told or guessed, and nothing forged is taken. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Grant, Policy } from '../../src/table/source/access.ts'
import { anyText, draw, record } from './attack.ts'
import { judge } from './oracle.ts'
import { exportBy as post } from './requests.ts'
import { openTarget, type Target } from './target.ts'
import { HIDDEN_WORDS, hidingPolicy, makeOffice, type World } from './worlds.ts'

const family = 'records'
const ALLOWED = [303, 400, 403, 404, 413, 419, 422]
const FORMS = [
  '/tables/people/records/1?edit=on',
  '/tables/people/new',
  '/tables/people/records/1?delete=on',
]
let worlds: readonly [Target, Target]

/** Others than administrators change what they may read. */
const changing: Policy = {
  version: 'changing-1',
  grant(actor, table): Grant {
    const grant = hidingPolicy.grant(actor, table)
    if (actor.role === 'admin' || grant.actions.length === 0) return grant
    return { ...grant, actions: ['read', 'update', 'create'], writable: ['name'] }
  },
}

const open = (world: World) =>
  openTarget({
    prepare: (file) => makeOffice(file, world),
    table: 'notes',
    policy: changing,
    write: true,
  })

beforeAll(async () => void (worlds = [await open('one'), await open('two')]))
afterAll(() => Promise.all(worlds.map((target) => target.close())))

type Fields = [string, string][]

const text = fc.oneof(anyText(20), fc.constantFrom('', '=', '=1', '1', 'null', 'x'.repeat(99_000)))
const column = fc.constantFrom(
  ...['salary', 'diagnosis', 'grade', 'id', 'team_id', 'nowhere', '', '__proto__', 'constructor'],
)
const shown = fc.oneof(
  anyText(30),
  fc
    .dictionary(column, fc.record({ seen: text, held: text, told: text }, { requiredKeys: [] }))
    .map((one) => JSON.stringify(one)),
)
const fields = fc.tuple(
  fc.array(fc.tuple(column, text), { minLength: 1, maxLength: 3 }),
  fc.option(shown, { nil: undefined }),
)

test('a form of any columns and any memory writes and tells nothing of what is hidden', async ({
  task,
}) => {
  const wrong: string[] = []
  const cases = draw(fields, 150)
  const before = worlds.map((target) => target.contents())
  for (const [at, [columns, memory]] of cases.entries()) {
    const sent: Fields = [
      ...columns.map(([name, value]): [string, string] => [`set.${name}`, value]),
      ...(memory === undefined ? [] : [['shown', memory] as [string, string]]),
    ]
    const seen: string[] = []
    for (const target of worlds) {
      const { editor } = target.people
      const request = post(editor, FORMS[at % FORMS.length] ?? '', sent)
      const answer = await target.send(request)
      wrong.push(...judge(answer, request, ALLOWED, target.secrets))
      const asked = JSON.stringify(sent)
      for (const word of HIDDEN_WORDS)
        if (answer.body.includes(word) && !asked.includes(word)) wrong.push(`shows ${word}`)
      if (answer.status < 400 && answer.headers['set-cookie']?.includes('=saved'))
        wrong.push(`saved ${asked.slice(0, 200)}`)
      seen.push(String(answer.status))
      // A person may post so many forms a minute.
      target.advance(1000)
    }
    if (seen[0] !== seen[1]) wrong.push(`differs: ${seen.join(' / ')}`)
  }
  expect(wrong).toEqual([])
  expect(worlds.map((target) => target.contents())).toEqual(before)
  for (const { complaints } of worlds) expect(complaints).toEqual([])
  record(task, family, 2 * cases.length)
})

test('no guess of a hidden value is told from a wrong one', async ({ task }) => {
  const answers = new Set<string>()
  for (const target of worlds)
    for (const guess of ['30000', '99963', '0']) {
      const { editor } = target.people
      const memory = JSON.stringify({ salary: { seen: guess } })
      const sent: Fields = [
        ['set.salary', '1'],
        ['shown', memory],
      ]
      const { status } = await target.send(post(editor, FORMS[0] ?? '', sent))
      answers.add(String(status))
    }
  expect([...answers]).toEqual(['403'])
  record(task, family, 6)
})

test('a token of somebody else, none, and another origin are refused, and change nothing', async ({
  task,
}) => {
  const [target] = worlds
  const { editor, viewer } = target.people
  const before = target.contents()
  const sent: Fields = [['set.name', 'Forged']]
  const forged = [
    post({ ...editor, csrf: viewer.csrf }, FORMS[0] ?? '', sent),
    post({ ...editor, csrf: '' }, FORMS[0] ?? '', sent),
    post({ ...editor, csrf: `${editor.csrf}x` }, FORMS[1] ?? '', sent),
  ]
  const own = post(editor, FORMS[0] ?? '', sent)
  const foreign = { ...own, headers: { ...own.headers, origin: 'https://evil.example' } }
  for (const request of [...forged, foreign]) expect((await target.send(request)).status).toBe(419)
  expect(target.contents()).toBe(before)
  record(task, family, 4)
})
