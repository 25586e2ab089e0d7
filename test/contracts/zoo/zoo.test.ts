import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/cli/open-database.ts'
import type { SaveResult } from '../../../src/protocol/form-view.ts'
import { testComponent } from '../../../src/server/component/test-component.ts'
import { createCatalog, type OpenTable } from '../../../src/table/catalog.ts'
import type { Change } from '../../../src/table/changes/change.ts'
import { createFormComponent } from '../../../src/table/record/form/component.ts'
import { doorTo } from '../../door-to.ts'
import { anything } from '../../kills/jars.ts'
import { admin } from '../../table-of.ts'
import { isPlain } from '../../tier.ts'
import { describeMetadata, type MetadataPlace } from '../metadata-places.ts'
import {
  createTable,
  createZoo,
  LEFT,
  NOTE,
  storedZoo,
  TABLE,
  typedIn,
  wantedOf,
  type Zoo,
} from './zoo.ts'
import { housings, SEEN, STRICT } from './housings.ts'
import { ZOOS } from './zoos.ts'

/** Of the texts that were typed, a plain run types one in so many again. */
const AGAIN = 20

/** Of the edges that the main zoo has typed, a plain run types one in so many in other housings. */
const ELSEWHERE = 4

/** The form of the row, which tells what it has written. */
async function openForm(
  place: MetadataPlace,
  table = TABLE,
  keyOf: (keys: OpenTable['keys']) => string = () => '1',
) {
  const definitions = table === SEEN ? { [SEEN]: { key: ['id'] } } : {}
  const source = await openDatabase(place.address)
  await source.writing?.allow(true)
  onTestFinished(() => source.close())
  const catalog = await createCatalog(source, anything, { definitions })
  const door = doorTo(source, () => catalog)
  const changes: Change[] = []
  const form = createFormComponent({
    ...{ source, catalog: () => catalog, isLive: false, href: (table) => `/tables/${table}` },
    door: {
      ...door,
      save(actor, change) {
        changes.push(change)
        return door.save(actor, change)
      },
    },
  })
  const key = keyOf(catalog.open(admin, table).keys)
  const params = { table, key, copyOf: null, preset: {} }
  const tester = await testComponent(form, { actor: admin, params })
  const shown = (name: string) => tester.view.fields.find((one) => one.name === name)?.text ?? null
  return {
    shown,
    fixed: () => tester.view.fixed.map(({ name }) => name),
    /** As a browser does, with what the field showed. */
    async type(name: string, text: string | null) {
      changes.length = 0
      const result = await tester.call.save(
        { [name]: text },
        { [name]: shown(name) },
        { lines: {}, links: {} },
      )
      const written = changes.flatMap(({ tables }) => tables.flatMap(({ rows = [] }) => rows))
      return { result, written }
    },
  }
}

type Typing = {
  readonly form: Awaited<ReturnType<typeof openForm>>
  readonly name: string
  readonly typed: string | null
  /** `undefined`: it must be refused. */
  readonly wanted: string | null | undefined
}

type Typed = {
  readonly place: MetadataPlace
  readonly zoo: Pick<Zoo, 'columns' | 'read'>
  readonly table?: string
}

/** Types a text into a field and saves it; returns what went wrong, and what the row holds. */
async function typeOnce(
  { place, zoo, table = TABLE }: Typed,
  before: ReadonlyMap<string, string | null>,
  { form, name, typed, wanted }: Typing,
) {
  const faults: string[] = []
  const says = (fault: string) => faults.push(`${name}, ${JSON.stringify(typed)}: ${fault}`)
  const answered = await form.type(name, typed).catch((error: unknown) => String(error))
  const after = await storedZoo(place, zoo, table)
  const [was, is] = [before.get(name), after.get(name)]
  for (const [other, value] of after)
    if (other !== name && before.get(other) !== value) says(`changed ${other}`)
  if (typeof answered === 'string') says(answered)
  else if (wanted === undefined) {
    if (is !== was) says(`became ${JSON.stringify(is)}`)
    if (!hasReason(answered.result, name)) says(`no reason at its field`)
  } else {
    const { result, written } = answered
    if (result.status !== 'saved') says(JSON.stringify(result))
    if (is !== wanted) says(`became ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`)
    const columns = written.flatMap((row) => ('update' in row ? Object.keys(row.set) : []))
    if (columns.join() !== name) says(`wrote ${columns.join()}`)
  }
  return { faults, after }
}

const hasReason = (result: SaveResult, name: string): boolean =>
  result.status === 'refused' && (result.errors[name] ?? []).some((text) => text !== '')

/** Types each edge into its field, and again what the form has shown then; returns what went wrong. */
async function typeAll(
  typed: Typed,
  { everyNth, again }: { readonly everyNth: number; readonly again: number },
): Promise<string[]> {
  const { place, zoo, table } = typed
  const form = await openForm(place, table)
  const names = Object.entries(zoo.columns)
  // The key is no column of the zoo: where the database makes it, nobody is asked.
  const fixed = form.fixed().filter((name) => Object.hasOwn(zoo.columns, name))
  expect(fixed).toEqual(names.flatMap(([name, { isFixed }]) => (isFixed ? [name] : [])))
  const faults: string[] = []
  const shown: Omit<Typing, 'form'>[] = []
  let held = await storedZoo(place, zoo, table)
  async function type(typing: Omit<Typing, 'form'>): Promise<void> {
    if (form.shown(typing.name) === typing.typed) return
    const done = await typeOnce(typed, held, { form, ...typing })
    faults.push(...done.faults)
    held = done.after
  }
  for (const [name, { edges }] of names)
    for (const [at, edge] of edges.entries()) {
      // The last ones are refused.
      if (at % everyNth > 0 && at < edges.length - 1) continue
      const [text, wanted] = [typedIn(edge), wantedOf(edge)]
      await type({ name, typed: text, wanted })
      if (wanted !== undefined) shown.push({ name, typed: form.shown(name), wanted })
    }
  // What the form has shown can be typed again, while all other fields hold something.
  for (const typing of shown.filter((_, at) => at % again === 0)) await type(typing)
  return faults
}

describeMetadata('the type zoo', (place) => {
  test('comes back byte for byte from a form, or is refused with a reason; only what was typed is written', async () => {
    const zoo = ZOOS[place().engine]
    await createZoo(place(), zoo)
    const again = isPlain ? AGAIN : 1
    expect(await typeAll({ place: place(), zoo }, { everyNth: 1, again })).toEqual([])
  })

  test('is left alone where only another field is changed', async () => {
    const { left } = ZOOS[place().engine]
    await createTable(place(), LEFT, left.columns)
    await place().run(`insert into ${LEFT} values (1, 'note', ${left.values.join(', ')})`)
    const zoo = { ...ZOOS[place().engine], columns: { ...left.columns, note: NOTE } }
    const form = await openForm(place(), LEFT)
    const before = await storedZoo(place(), zoo, LEFT)
    const { result, written } = await form.type('note', 'other')
    expect(result).toMatchObject({ status: 'saved' })
    expect(written).toMatchObject([{ set: { note: 'other' } }])
    const after = await storedZoo(place(), zoo, LEFT)
    expect([...after]).toEqual(
      [...before].map(([name, value]) => [name, name === 'note' ? after.get(name) : value]),
    )
    expect(before.get('note')).not.toBe(after.get('note'))
  })

  test('has keys of several columns, which name one row or none', async () => {
    const run = (sql: string) => place().run(sql)
    await run('create table pairs (a integer, b varchar(9), note varchar(9), primary key (a, b))')
    await run(
      `insert into pairs values (1, 'x,y', 'a'), (1, 'x', 'b'), (2, 'x', 'c'), (1, '', 'd')`,
    )
    const stored = () => run('select a, b, note from pairs order by note')
    const form = await openForm(place(), 'pairs', (keys) => keys.record([1, 'x']) ?? '')
    expect(await form.type('note', 'B')).toMatchObject({ result: { status: 'saved' } })
    const others = [
      [1, 'x,y', 'a'],
      [2, 'x', 'c'],
      [1, '', 'd'],
    ]
    const rows = async () => (await stored()).map(([a, b, note]) => [Number(a), b, note])
    expect(await rows()).toEqual(expect.arrayContaining([[1, 'x', 'B'], ...others]))
    // The key changes, and the row is found by its new one.
    expect(await form.type('b', 'z')).toMatchObject({
      result: { status: 'saved', href: '/tables/pairs/records/1%2Cz' },
    })
    expect(await rows()).toEqual(expect.arrayContaining([[1, 'z', 'B'], ...others]))
    const none = await openForm(place(), 'pairs', () => '1')
    expect(await none.type('note', 'X')).toMatchObject({
      result: { status: 'refused' },
      written: [],
    })
    expect(await rows()).toHaveLength(4)
  })
})

describeMetadata('the type zoo in other housings', (place) => {
  beforeAll(async () => {
    for (const statement of ZOOS[place().engine].setUp) await place().run(statement)
  })

  test.each([0, 1])('comes back from a form there as well, %#', async (at) => {
    const { read, columns } = ZOOS[place().engine]
    const housing = housings(place().engine, { columns })[at]
    if (!housing) throw new Error('There is no such housing.')
    await housing.create(place())
    const everyNth = isPlain && housing.columns !== STRICT ? ELSEWHERE : 1
    const zoo = { columns: housing.columns, read }
    const typed = { place: place(), zoo, table: housing.table }
    expect(await typeAll(typed, { everyNth, again: isPlain ? AGAIN : 1 }), housing.name).toEqual([])
    // The key changes: in another partition, or in what is seen through a view. A strict table's is numbered.
    const before = await storedZoo(place(), zoo, housing.table)
    const form = await openForm(place(), housing.table)
    if (form.fixed().includes('id')) return
    expect(await form.type('id', '5000')).toMatchObject({ result: { status: 'saved' } })
    await place().run(`update ${housing.base} set id = 1 where id = 5000`)
    expect([...(await storedZoo(place(), zoo, housing.table))]).toEqual([...before])
  })
})
