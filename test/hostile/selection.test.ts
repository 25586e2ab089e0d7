/** Hostile selections and exports: whatever is sent, nothing hidden is counted, added up or written down. */

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEED } from '../tier.ts'
import { draw, record } from './attack.ts'
import { judge } from './oracle.ts'
import { exportBy, update } from './requests.ts'
import { openTarget, readPage, type Target } from './target.ts'
import { withoutSecrets } from './walks.ts'
import { HIDDEN_WORDS, hidingPolicy, makeOffice, type World } from './worlds.ts'

const family = 'selection'
let worlds: readonly [Target, Target]

const open = (world: World) =>
  openTarget({
    prepare: (file) => makeOffice(file, world),
    table: 'notes',
    policy: hidingPolicy,
  })

beforeAll(async () => void (worlds = [await open('one'), await open('two')]))
afterAll(() => Promise.all(worlds.map((target) => target.close())))

const key = fc.oneof(
  fc.nat(200).map(String),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom(
    ...[
      '',
      '%',
      '1,2',
      '../1',
      "1' or 1=1 --",
      '1e9',
      '-0',
      '9'.repeat(400),
      '\u0000',
      '__proto__',
    ],
    ...['9223372036854775808', '1.0', ' 1', '0x01', 'null', '\ud800', '*', '[1]'],
  ),
)
const odd = fc.oneof(
  fc.array(key, { maxLength: 8 }),
  fc.array(key, { maxLength: 8 }).map((except) => ({ except })),
  fc.constantFrom<unknown>(
    ...[null, true, 0, '', 'all', {}, { except: null }, { except: {} }, { except: [], all: true }],
    ...[[[]], [null], [{}], { length: 2 }, { __proto__: [] }, [1, 2], { except: [1] }],
    Array.from({ length: 1001 }, (_, i) => String(i)),
    { except: Array.from({ length: 1001 }, (_, i) => String(i)) },
  ),
)

const ALLOWED = [200, 400, 404, 413, 422]

const NOTES = '/tables/notes/export'

test('any value of `selected` is a selection or refused, and both worlds answer alike', async ({
  task,
}) => {
  const wrong: string[] = []
  const cases = draw(odd, 400)
  const snapshots = await Promise.all(
    worlds.map(async (target) => {
      const { components } = await readPage(
        target.send,
        '/tables/notes',
        target.people.viewer.cookie,
      )
      return components.find(({ name }) => name === 'list')!.snapshot
    }),
  )
  for (const selected of cases) {
    const parts = [
      { updates: { selected } },
      { calls: [{ method: 'selectedCount', params: [selected] }] },
      { calls: [{ method: 'selectedSums', params: [selected, ['position']] }] },
      { calls: [{ method: 'checkExport', params: [selected] }] },
    ]
    for (const part of parts) {
      const seen: string[] = []
      for (const [at, target] of worlds.entries()) {
        const person = target.people.viewer
        const request = update(person, { snapshot: snapshots[at]!, ...part })
        const answer = await target.send(request)
        wrong.push(...judge(answer, request, ALLOWED, target.secrets))
        seen.push(`${answer.status} ${withoutSecrets(answer.body, person)}`)
      }
      if (seen[0] !== seen[1]) wrong.push(`${JSON.stringify(selected)}: ${seen.join(' / ')}`)
    }
  }
  record(task, family, cases.length * 8)
  expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([])
})

test('an export is the same file in both worlds, whatever is asked for', async ({ task }) => {
  const fields = fc.tuple(
    fc.constantFrom('notes', 'teams', 'people', 'payroll', 'reviews', 'nowhere'),
    fc.oneof(
      odd.map((value): [string, string][] => [['selected', JSON.stringify(value) ?? '']]),
      fc
        .array(key, { maxLength: 5 })
        .map((keys) => keys.map((one): [string, string] => ['key', one])),
      fc
        .string({ unit: 'binary', maxLength: 30 })
        .map((text): [string, string][] => [['selected', text]]),
    ),
    fc.constantFrom('shown', 'all', 'secret'),
  )
  const wrong: string[] = []
  const cases = draw(fields, 300)
  let files = 0
  for (const [table, posted, columns] of cases) {
    // The limit on exports is not what is tested here.
    for (const target of worlds) target.advance(10_000)
    const seen: string[] = []
    for (const target of worlds) {
      const person = target.people.viewer
      const request = exportBy(person, `/tables/${table}/export`, [...posted, ['columns', columns]])
      const answer = await target.send(request)
      if (!ALLOWED.includes(answer.status))
        wrong.push(`${answer.status} for ${String(request.payload)}`)
      const isFile = answer.headers['content-type']?.startsWith('text/csv') ?? false
      if (isFile) files++
      else if (answer.status === 200) wrong.push(`no file for ${String(request.payload)}`)
      const asked = JSON.stringify(posted)
      for (const word of HIDDEN_WORDS)
        if (answer.body.includes(word) && !asked.includes(word)) wrong.push(`shows ${word}`)
      seen.push(`${answer.status} ${isFile ? answer.body : ''}`)
    }
    if (seen[0] !== seen[1]) wrong.push(`${table} ${JSON.stringify(posted)} differs`)
  }
  record(task, family, cases.length * 2)
  expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([])
  expect(files).toBeGreaterThan(20)
  for (const { complaints } of worlds) expect(complaints).toEqual([])
})

test('nobody exports with the token or the session of another', async () => {
  const [{ send, people }] = worlds
  const { viewer, editor } = people
  const stolen = await send(exportBy({ ...viewer, csrf: editor.csrf }, NOTES, []))
  expect(stolen.status).toBe(419)
  const anonymous = await send(exportBy({ ...viewer, cookie: '' }, NOTES, []))
  expect(anonymous.status).toBe(401)
  const foreign = exportBy(viewer, NOTES, [])
  const headers = { ...foreign.headers, origin: 'https://evil.example' }
  expect((await send({ ...foreign, headers })).status).toBe(419)
})
