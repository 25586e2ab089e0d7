/** Many rows that were changed alike come back to the very bytes that they held, but for those that somebody has changed since. */

import { describe, expect, test } from 'vitest'
import type { ChangeOutcome } from '../../src/table/changes/change.ts'
import { readRows } from '../../src/table/changes/read-rows.ts'
import type { NewValue, NewValues } from '../../src/table/source/computed.ts'
import type { Policy } from '../../src/table/source/access.ts'
import { isSet } from '../../src/table/source/ledger-entry.ts'
import { everything, type Predicate } from '../../src/table/source/predicate.ts'
import { isSame, type KeyValues } from '../../src/table/source/value.ts'
import type { Values } from '../../src/table/source/write-unit.ts'
import { anything } from '../kills/jars.ts'
import { type Chance, chanceOf } from '../simulator/chance.ts'
import { admin } from '../table-of.ts'
import { runs, SEED } from '../tier.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'
import { LETTERS } from './random-changes.ts'

const ROWS = 700
const ROUNDS = runs(1)

/** Tables by number and by text, with columns of every kind. */
const TABLES = ['numbered', 'lettered'] as const
type Name = (typeof TABLES)[number]

async function create({ engine, run }: MetadataPlace, chance: Chance): Promise<void> {
  const types = {
    sqlite: { bytes: 'blob', moment: 'datetime', double: 'real' },
    postgres: { bytes: 'bytea', moment: 'timestamp', double: 'double precision' },
    mysql: { bytes: 'varbinary(40)', moment: 'datetime(6)', double: 'double' },
  }[engine]
  for (const table of TABLES) {
    await run(`drop table if exists ${table}`)
    const id = table === 'numbered' ? 'integer' : 'varchar(40)'
    await run(`create table ${table} (id ${id} not null primary key, n bigint, amount decimal(20, 3), ratio ${types.double},
      note varchar(200), made ${types.moment}, content ${types.bytes}, is_on boolean, state varchar(20) not null)`)
    const bytes = () =>
      chance
        .between(0, 2 ** 31)
        .toString(16)
        .padStart(8, '0')
    const rows = Array.from({ length: ROWS }, (_, at) => {
      const key = table === 'numbered' ? String(3 * at - 50) : `'${KEYS[at % KEYS.length]}${at}'`
      const content = engine === 'postgres' ? `'\\x${bytes()}'` : `x'${bytes()}'`
      return `(${key}, ${chance.pick(['null', '0', '9007199254740993', String(at)])}, ${at}.125,
        ${chance.next() * 10 ** chance.between(-9, 9)}, ${chance.pick(['null', "''", `'note ${at}'`, "'Ä'", "'a '"])},
        ${chance.pick(['null', `'2024-02-29 12:34:56.${100_000 + at}'`])}, ${content},
        ${chance.pick(['null', 'true', 'false'])}, ${chance.pick(["'new'", "'paid'"])})`
    })
    await run(`insert into ${table} values ${rows.join(', ')}`)
  }
}

const KEYS = ['a', 'B', 'ü', '0', '%'] as const

/** What all of the rows are set to. */
function randomSet(chance: Chance): NewValues {
  const text = Array.from({ length: chance.between(0, 5) }, () => chance.pick(LETTERS)).join('')
  const all: readonly [string, NewValue][] = [
    ['n', chance.pick<NewValue>([{ add: 1 }, null, 7, { multiply: 2 }])],
    ['amount', chance.pick<NewValue>([{ add: '0.005' }, '1.5', null])],
    ['ratio', chance.pick<NewValue>([{ multiply: 3 }, 0.1, null])],
    ['note', chance.pick<NewValue>([{ append: 'x' }, text, null])],
    ['made', chance.pick<NewValue>([null, '2020-01-01 00:00:00'])],
    ['content', chance.pick<NewValue>([null, new Uint8Array([0, 255, 39, 92])])],
    ['is_on', chance.pick<NewValue>([true, false, null])],
    ['state', chance.pick<NewValue>(['paid', 'new', 'shipped'])],
  ]
  // Where MySQL reads long values that are not set, it keeps rows one by one.
  const some = all.filter(([name]) => chance.happens(name === 'content' ? 0.8 : 0.4))
  return Object.fromEntries(some.length > 0 ? some : all.slice(0, 1))
}

type State = ReadonlyMap<string, Values>

async function open(place: MetadataPlace, isBeside: boolean, chance: Chance, policy?: Policy) {
  await create(place, chance)
  const opened = await openChanges(place, { isBeside, ...(policy && { policy }) })
  const { source, catalog } = opened
  const keysOf = async (table: Name): Promise<KeyValues[]> => {
    const keys: KeyValues[] = []
    const { access } = catalog.open(admin, table)
    for await (const some of source.keys(access, everything)) keys.push(...some)
    return keys
  }
  return {
    ...opened,
    keysOf,
    state: async (table: Name): Promise<State> =>
      readRows(source, catalog.open(admin, table).access, await keysOf(table)),
  }
}

const entryOf = (outcome: ChangeOutcome): string => {
  expect(outcome).toMatchObject({ status: 'done', entry: expect.any(String) })
  return (outcome.status === 'done' && outcome.entry) || ''
}

/** What is to be there after an undo, by what was there before the change, after it, and just before the undo. */
function expectedAfter(first: State, after: State, now: State) {
  const left = new Set<string>()
  const rows = new Map(
    [...now].map(([key, row]) => {
      const [was, became] = [first.get(key) ?? {}, after.get(key) ?? {}]
      const changed = Object.keys(row).filter(
        (name) => !isSame(was[name] ?? null, became[name] ?? null),
      )
      if (changed.every((name) => isSame(row[name] ?? null, became[name] ?? null)))
        return [key, { ...row, ...Object.fromEntries(changed.map((name) => [name, was[name]])) }]
      left.add(key)
      return [key, row]
    }),
  )
  return { rows, left }
}

describeMetadata('rows that were changed alike', (place) => {
  describe.each(HISTORIES)('with the history %s', (_, isBeside) => {
    test.each(TABLES)('of a table that is %s come back', async (table) => {
      const chance = chanceOf(SEED)
      const { door, ledger, keysOf, state } = await open(place(), isBeside, chance)
      for (let round = 0; round < ROUNDS; round++) {
        const keys = await keysOf(table)
        const first = await state(table)
        const set = randomSet(chance)
        const sets = [{ in: keys, where: everything, set }]
        const entry = entryOf(await door.save(admin, { door: 'bulk', tables: [{ table, sets }] }))
        const after = await state(table)
        const touched = keys.filter(() => chance.happens(0.05))
        const rows = touched.map((key) => ({ update: key, set: randomSet(chance) }))
        if (rows.length > 0) await door.save(admin, { door: 'form', tables: [{ table, rows }] })
        const now = await state(table)
        const expected = expectedAfter(first, after, now)
        const undo = await door.undo(admin, entry)
        expect(new Set(undo.left.map(({ key }) => JSON.stringify(key)))).toEqual(expected.left)
        const back = entryOf(await door.apply(undo.plan))
        expect(await state(table)).toStrictEqual(expected.rows)
        await expect.poll(async () => (await ledger.find(back))?.state).toBe('done')
        const again = await door.undo(admin, back)
        expect(again.left).toEqual([])
        entryOf(await door.apply(again.plan))
        expect(await state(table)).toStrictEqual(now)
      }
    })
  })

  test('are written as sets, and kept so', async () => {
    const chance = chanceOf(SEED)
    const { door, ledger, keysOf } = await open(place(), true, chance)
    const sets = [
      { in: await keysOf('numbered'), where: everything, set: { n: { add: 1 }, content: null } },
    ]
    const tables = [{ table: 'numbered', sets }]
    const { plan } = await door.undo(
      admin,
      entryOf(await door.save(admin, { door: 'bulk', tables })),
    )
    const written = plan.parts.map(({ part }) => part.sets?.map((one) => one.in.length))
    const back = entryOf(await door.apply(plan))
    const counts: number[] = []
    for await (const chunk of ledger.chunks(back)) counts.push(isSet(chunk) ? chunk.keys.length : 0)
    const changed = counts.reduce((sum, count) => sum + count, 0)
    expect(written).toEqual([[changed]])
    expect(changed).toBeGreaterThan(500)
  })

  test('stay as they are where one of them changes while they are taken back', async () => {
    const { door, keysOf, state } = await open(place(), true, chanceOf(SEED))
    const sets = [{ in: await keysOf('numbered'), where: everything, set: { state: 'gone' } }]
    const tables = [{ table: 'numbered', sets }]
    const entry = entryOf(await door.save(admin, { door: 'bulk', tables }))
    const { plan } = await door.undo(admin, entry)
    await place().run(`update numbered set state = 'kept' where id = 100`)
    const before = await state('numbered')
    expect(await door.apply(plan)).toMatchObject({ status: 'refused' })
    expect(await state('numbered')).toStrictEqual(before)
    const again = await door.undo(admin, entry)
    expect(again.left).toMatchObject([
      { key: [100], reason: 'changed', current: { state: 'kept' } },
    ])
  })

  test('stay as they are where whoever takes them back may not change them', async () => {
    const { door, keysOf, state } = await open(place(), true, chanceOf(SEED), firstForOthers)
    const sets = [{ in: await keysOf('numbered'), where: everything, set: { state: 'gone' } }]
    const tables = [{ table: 'numbered', sets }]
    const entry = entryOf(await door.save(admin, { door: 'bulk', tables }))
    const { plan, left } = await door.undo(other, entry)
    expect(left).toHaveLength(ROWS - FOR_OTHERS)
    expect(new Set(left.map(({ reason }) => reason))).toEqual(new Set(['forbidden']))
    entryOf(await door.apply(plan))
    const gone = [...(await state('numbered'))].filter(([, row]) => row['state'] === 'gone')
    expect(gone).toHaveLength(ROWS - FOR_OTHERS)
  })
})

/** Of a table by number, others than the administrator change the first rows alone. */
const FOR_OTHERS = 600
const other = { ...admin, id: 'ben', role: 'editor' as const }
const firstForOthers: Policy = {
  version: '1',
  grant(actor, table) {
    const grant = anything.grant(actor, table)
    if (actor.id === admin.id) return grant
    const first: Predicate = { op: 'lt', column: 'id', value: 3 * FOR_OTHERS - 50 }
    return { ...grant, changes: { update: first } }
  },
}
