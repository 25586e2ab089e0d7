/** Hostile editors: whatever is asked of rows that they see and may not change, these rows stay as they are. */

import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALL_SELECTED } from '../../src/protocol/selection.ts'
import type { SealResult, WriteResult } from '../../src/protocol/plan-view.ts'
import type { Grant, Policy } from '../../src/table/source/access.ts'
import { record } from './attack.ts'
import { judge } from './oracle.ts'
import { resultIn } from './reordering.ts'
import { exportBy as post, update } from './requests.ts'
import { openTarget, readPage, type Target } from './target.ts'
import { makeOffice } from './worlds.ts'

const ALLOWED = [200, 303, 400, 403, 404, 422]
/** Rows that an editor changes, and the one of them that they delete. */
const [CHANGED, DELETED] = [[2, 4], 4]

const policy: Policy = {
  version: 'changeable-1',
  grant(actor, { name, columns }): Grant {
    const names = columns.map((column) => column.name)
    const all: Grant = {
      ...{ actions: ['read', 'create', 'update', 'delete'], rows: { op: 'and', all: [] } },
      ...{ readable: names, writable: names },
    }
    if (actor.role === 'admin' || name !== 'notes') return all
    const update = { op: 'in', column: 'id', values: CHANGED } as const
    return { ...all, changes: { update, delete: { op: 'eq', column: 'id', value: DELETED } } }
  },
}

let target: Target
let file = ''

beforeAll(async () => {
  target = await openTarget({
    prepare(made) {
      file = made
      makeOffice(made, 'one')
    },
    ...{ table: 'notes', policy, write: true },
    definitions: { notes: { reorder: { column: 'position' } } },
  })
})
afterAll(() => target.close())

/** The other rows. */
function rest(): unknown[] {
  const db = new DatabaseSync(file, { readOnly: true })
  const found = db
    .prepare(`select * from notes where id not in (${CHANGED.join()}) order by id`)
    .all()
  db.close()
  return found
}

type Call = readonly [address: string, component: string, method: string, ...params: unknown[]]

/** The keys by which somebody may name row 6. */
const KEYS = ['6', '06', ' 6', '6.0', '+6']

const mine = { title: 'mine' }
const CALLS: readonly Call[] = [
  ['/tables/notes/records/6?edit=on', 'form', 'save', mine, { title: 'Note 6' }, null],
  ['/tables/notes/records/6', 'record', 'remove'],
  ['/tables/notes/records/2', 'record', 'remove'],
  ...KEYS.map((key): Call => ['/tables/notes', 'cells', 'save', key, mine, { title: 'Note 6' }]),
  ...[['6'], ['2', '6']].map((keys): Call => [
    ...(['/tables/notes?reorder=on', 'list', 'storeReorder'] as const),
    keys.map((key, at) => ({ key, rank: at + 1 })),
  ]),
]

const FORMS: readonly (readonly [address: string, ...fields: [string, string][]])[] = [
  ['/tables/notes/records/6?edit=on', ['set.title', 'mine']],
  ['/tables/notes/records/6?delete=on'],
  ['/tables/notes/records/2?delete=on'],
]

async function call([address, component, method, ...params]: Call) {
  const { editor } = target.people
  const { components } = await readPage(target.send, address, editor.cookie)
  const { snapshot } = components.find(({ name }) => name === component) ?? {}
  const request = update(editor, { snapshot, calls: [{ method, params }] })
  const answer = await target.send(request)
  expect(judge(answer, request, ALLOWED, target.secrets)).toEqual([])
  return answer
}

test('no form, cell, order or deletion changes them', async ({ task }) => {
  const before = rest()
  for (const one of CALLS) {
    await call(one)
    expect(rest(), JSON.stringify(one)).toEqual(before)
  }
  for (const [address, ...fields] of FORMS) {
    const request = post(target.people.editor, address, fields)
    const answer = await target.send(request)
    expect(judge(answer, request, ALLOWED, target.secrets)).toEqual([])
    expect(rest(), address).toEqual(before)
  }
  const saved = await call([
    ...(['/tables/notes', 'cells', 'save'] as const),
    ...['2', mine, { title: 'Note 2' }],
  ])
  expect(resultIn(saved)).toMatchObject({ status: 'saved' })
  record(task, 'records', CALLS.length + FORMS.length + 1)
})

test('no plan has them, whoever is selected', async ({ task }) => {
  const before = rest()
  const asks = [
    { do: 'edit', fields: { title: { how: 'set', text: 'mine' } } },
    { do: 'delete' },
  ] as const
  const selections = [ALL_SELECTED, { except: ['2'] }, ['2', '4', '6'], KEYS.slice(0, 1)] as const
  for (const ask of asks)
    for (const selected of selections) {
      const sealed = resultIn<SealResult>(
        await call(['/tables/notes', 'list', 'seal', selected, ask]),
      )
      if (sealed?.status !== 'sealed') continue
      expect(sealed.plan.rows).toBeLessThanOrEqual(CHANGED.length)
      const { handle } = sealed.plan
      const written = resultIn<WriteResult>(
        await call(['/tables/notes', 'list', 'writePlan', handle, null]),
      )
      expect(written?.status).toMatch(/done|changed|refused/)
      expect(rest(), JSON.stringify([ask, selected])).toEqual(before)
    }
  record(task, 'records', asks.length * selections.length * 2)
})

test('their record offers nothing to be done, and their cells say why', async ({ task }) => {
  const offered = async (id: number) => {
    const address = `/tables/notes/records/${id}`
    const { components } = await readPage(target.send, address, target.people.editor.cookie)
    return JSON.stringify(components.find(({ name }) => name === 'record')?.view)
  }
  expect(await offered(6)).not.toContain('editHref')
  expect(await offered(6)).toContain('"mayDelete":false')
  expect(await offered(2)).toContain('editHref')
  const cell = await call(['/tables/notes', 'cells', 'cell', '6', 'title'])
  expect(resultIn(cell)).toMatchObject({ is: 'fixed' })
  record(task, 'records', 4)
})
