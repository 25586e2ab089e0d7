/** The history tells no more than the rows would: two offices that differ in what is hidden, with their pasts. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openLedger } from '../../src/database/ledger/open-ledger.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Actor } from '../../src/server/actor.ts'
import { AppError } from '../../src/server/app-error.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import { createCatalog } from '../../src/table/catalog.ts'
import type { TableChange } from '../../src/table/changes/change.ts'
import { createChangeDoor } from '../../src/table/changes/door.ts'
import { createHistoryComponent } from '../../src/table/history/component.ts'
import { planUndo, runUndo } from '../../src/table/history/undo.ts'
import type { Roles, RowCondition } from '../../src/table/roles/role.ts'
import type { Policy } from '../../src/table/source/access.ts'
import type { Schema } from '../../src/table/source/schema.ts'
import { admin } from '../table-of.ts'
import { HIDDEN_WORDS, hidingPolicy, makeOffice, type World } from './worlds.ts'

const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
const viewer: Actor = { ...admin, id: 'vi', name: 'Vi', role: 'viewer' }
const editor: Actor = { ...admin, id: 'ed', name: 'Ed', role: 'editor' }
/** From whom a role of one’s own hides what the policy hides from the others. */
const clerk: Actor = { ...admin, id: 'cl', name: 'Cl', role: 'clerk' }

/** As the onlookers' policy, but that editors may change what they see, and administrators everything. */
const policy: Policy = {
  version: 'hiding-2',
  grant(actor, table) {
    const whole = actor.isDefined ? { ...actor, role: 'admin' } : actor
    const grant = hidingPolicy.grant(whole, table)
    if (actor.role === 'viewer' || grant.actions.length === 0) return grant
    return { ...grant, actions: ['read', 'create', 'update', 'delete'], writable: grant.readable }
  },
}

const rolesOf = ({ tables }: Schema): Roles => ({
  clerk: {
    tables: Object.fromEntries(
      tables.flatMap((table) => {
        const { actions, readable: read, rows } = hidingPolicy.grant(editor, table)
        const may = { update: true, delete: true }
        // A policy's condition is one of a role, too.
        const condition = rows as RowCondition
        return actions.length === 0 ? [] : [[table.name, { read, ...may, rows: condition }]]
      }),
    ),
  },
})

const SECRET = '$argon2id$v=19$m=65536,t=3,p=4$'

async function openWorld(world: World) {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-past-'))
  makeOffice(join(folder, 'office.sqlite'), world)
  const source = await openSqlite(join(folder, 'office.sqlite'), { readOnly: false })
  let time = Date.UTC(2026, 2, 5, 8)
  let id = ''
  const now = () => time
  const ledger = await openLedger({
    ...{ source, dataFolder: folder, now, newId: () => id, isBeside: false, keptDays: 90 },
    metadata: join(folder, 'meta.sqlite'),
  })
  if (!ledger) throw new Error('The source keeps no entries.')
  const catalog = await createCatalog(source, policy, { roles: rolesOf(await source.describe()) })
  const shared = { source, catalog: () => catalog, ledger, now }
  const door = createChangeDoor({ ...shared, newId: () => id })
  const services = {
    ...shared,
    door,
    historyHref: '/history',
    href: (table: string) => `/${table}`,
  }
  const history = createHistoryComponent({ ...services, keptDays: 90, isLive: false })
  const told = (work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => {
      if (error instanceof AppError) return error.code
      throw error
    })
  const component = (actor: Actor, record: { table: string; key: string } | null, query = '') =>
    testComponent(history, { actor, params: { record }, query: new URLSearchParams(query) })
  return {
    /** A change by an administrator; what has the same name happens at the same time in both worlds. */
    async change(name: string, at: number, ...tables: TableChange[]): Promise<void> {
      ;[id, time] = [name, Date.UTC(2026, 2, 5, 8) + at * 1000]
      const outcome = await door.save(admin, { door: 'form', tables })
      if (outcome.status !== 'done') throw new Error(`${name}: ${JSON.stringify(outcome)}`)
    },
    async takeBack(of: string, name: string, at: number, key: number): Promise<void> {
      ;[id, time] = [name, Date.UTC(2026, 2, 5, 8) + at * 1000]
      const { plan } = await door.undo(admin, of, { table: 'notes', key: [key] })
      await door.apply(plan)
    },
    list: (actor: Actor, query: string) =>
      told(async () => (await component(actor, null, query)).view),
    beside: (actor: Actor, table: string, key: string) =>
      told(async () => (await component(actor, { table, key })).view),
    plan: (actor: Actor, entry: string) =>
      told(() => planUndo(services, actor, { id: entry, reader })),
    /** All that follows happens from then on. */
    goOn: () => void (time = Date.UTC(2026, 2, 5, 9)),
    async undo(actor: Actor, entry: string): Promise<unknown> {
      ;[id, time] = [`${actor.id}-takes-${entry}-back`, time + 1000]
      return told(() => runUndo(services, actor, { id: entry, reader }))
    },
    restore: (
      actor: Actor,
      record: { table: string; key: string },
      entry: string,
      column: string,
    ) => {
      ;[id, time] = [`${actor.id}-restores-${column}`, time + 1000]
      return told(async () => (await component(actor, record)).ask('restore', entry, column))
    },
    async close() {
      await source.close()
      await ledger.close()
      rmSync(folder, { recursive: true })
    },
  }
}

type Past = Awaited<ReturnType<typeof openWorld>>

const people = (id: number, set: Record<string, string | number>): TableChange => ({
  table: 'people',
  rows: [{ update: [id], set }],
})
const notes = (...changes: readonly (readonly [id: number, body: string])[]): TableChange => ({
  table: 'notes',
  rows: changes.map(([id, body]) => ({ update: [id], set: { body } })),
})

/** What the administrator did: all of it, as far as others may see it, is the same in both worlds. */
async function live(past: Past, world: World): Promise<void> {
  const isTwo = world === 'two'
  const word = HIDDEN_WORDS[isTwo ? 1 : 0] ?? ''
  let times = 0
  const hidden = (...ids: number[]) =>
    notes(...ids.map((id) => [id, `${word} ${id}, ${++times}`] as const))
  const { change } = past
  await change('named', 1, people(1, { name: 'Person A', salary: isTwo ? 1 : 2 }))
  await change('diagnosed', 2, people(4, { diagnosis: `${word} of today` }))
  for (let at = 0; at < (isTwo ? 60 : 1); at++)
    await change(`hidden-${at}`, 3 + at / 100, notes([1, `${word} ${at}`]))
  await change('mixed', 5, notes([2, 'Two'], [4, 'Four']), isTwo ? hidden(1, 5, 7) : hidden(1))
  await change('deleted', 6, { table: 'notes', rows: [{ delete: [8] }] })
  await change('deleted-unseen', 7, { table: 'notes', rows: [{ delete: [isTwo ? 11 : 13] }] })
  const paid = (id: number): TableChange => ({
    table: 'payroll',
    rows: [{ update: [id], set: { amount: isTwo ? 77 : 88, badge: word } }],
  })
  await change('paid', 8, paid(isTwo ? 2 : 3))
  await change('named-and-paid', 9, people(5, { name: 'Person E' }), paid(1))
  await change('secret', 10, notes([10, `${SECRET}${word}`]))
  for (let at = 0; at < 40; at++) {
    await change(`visible-${at}`, 20 + at, people(10, { name: `Person ${at}` }))
    if (isTwo || at % 9 === 0)
      await change(`between-${at}`, 20.5 + at, hidden(at % 2 === 0 ? 1 : 5))
  }
  // Of one change, only what nobody else sees is taken back.
  if (isTwo) await past.takeBack('mixed', 'mixed-taken-back', 71, 7)
  past.goOn()
}

let worlds: readonly [Past, Past]

beforeAll(async () => {
  worlds = [await openWorld('one'), await openWorld('two')]
  await live(worlds[0], 'one')
  await live(worlds[1], 'two')
})
afterAll(() => Promise.all(worlds.map((past) => past.close())))

/** What both worlds answer, which must be the same and hold no secret. */
async function same(ask: (past: Past) => Promise<unknown>): Promise<unknown> {
  const [one, two] = [await ask(worlds[0]), await ask(worlds[1])]
  expect(two).toEqual(one)
  expect(JSON.stringify(one)).not.toMatch(new RegExp([...HIDDEN_WORDS, 'argon2'].join('|')))
  return one
}

const ENTRIES = [
  ...['named', 'diagnosed', 'mixed', 'deleted', 'named-and-paid', 'secret', 'visible-3'],
  ...['hidden-0', 'deleted-unseen', 'paid', 'between-0', 'mixed-taken-back', 'nowhere'],
]

describe.each([viewer, editor, clerk])(
  'to $role, the pasts of both offices look alike',
  (actor) => {
    const queries = ['', 'table=people', 'table=notes', 'table=payroll', 'table=nowhere', 'by=ana']
    test.each([...queries, 'door=form', 'since=7'])(
      'on the page of all changes, ?%s',
      async (query) => {
        // All pages, one after the other.
        for (let next: string | null = query, pages = 0; next !== null; pages++) {
          expect(pages).toBeLessThan(10)
          const page = (await same((past) => past.list(actor, next ?? ''))) as {
            olderHref?: string
          }
          next = page.olderHref ? new URL(page.olderHref, 'http://x').search.slice(1) : null
        }
      },
    )

    test.each([
      ...[1, 4, 5, 10].map((id) => ['people', id] as const),
      ...[1, 2, 4, 7, 8, 10, 11].map((id) => ['notes', id] as const),
      ...[['payroll', 1] as const, ['teams', 3] as const],
    ])('beside a record of %s, %i', async (table, id) => {
      await same((past) => past.beside(actor, table, String(id)))
    })

    test.each(ENTRIES)('where they ask to take “%s” back', async (entry) => {
      await same((past) => past.plan(actor, entry))
    })
  },
)

test('entries of what is hidden are refused as those that never were', async () => {
  for (const entry of ['hidden-0', 'deleted-unseen', 'paid', 'between-0'])
    for (const actor of [viewer, editor, clerk]) {
      expect(await same((past) => past.plan(actor, entry))).toBe('NOT_FOUND')
      expect(await same((past) => past.undo(actor, entry))).toBe('NOT_FOUND')
    }
})

test('a viewer takes nothing back, and an editor nothing of which they may not write a column', async () => {
  for (const entry of ENTRIES)
    expect(await same((past) => past.undo(viewer, entry))).toSatisfy(
      (answer: unknown) =>
        answer === 'NOT_FOUND' || (answer as { status: string }).status === 'refused',
    )
  expect(await same((past) => past.undo(editor, 'named'))).toMatchObject({ status: 'refused' })
  expect(await same((past) => past.undo(editor, 'diagnosed'))).toMatchObject({ status: 'refused' })
})

test('values of columns that are hidden cannot be restored, nor rows of others', async () => {
  const record = { table: 'people', key: '1' }
  for (const column of ['salary', 'diagnosis', 'nothing', 'id', '__proto__', 'constructor'])
    expect(await same((past) => past.restore(editor, record, 'named', column))).toBe('NOT_FOUND')
  for (const entry of ['diagnosed', 'paid', 'nowhere', ''])
    expect(await same((past) => past.restore(editor, record, entry, 'name'))).toBe('NOT_FOUND')
})

test('what is taken back twice changes nothing more', async () => {
  expect(await same((past) => past.undo(editor, 'visible-39'))).toMatchObject({ status: 'done' })
  expect(await same((past) => past.undo(editor, 'visible-39'))).toMatchObject({ status: 'refused' })
  expect(await same((past) => past.undo(editor, 'mixed'))).toMatchObject({
    ...{ status: 'done', text: 'Undone in 2 rows.' },
  })
  await same((past) => past.list(editor, ''))
})

test('an administrator, from whom nothing is hidden, does tell them apart', async () => {
  const [one, two] = [await worlds[0].list(admin, ''), await worlds[1].list(admin, '')]
  expect(one).not.toEqual(two)
})
