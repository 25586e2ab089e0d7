import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type OpenDataFile, openDataFile } from '../../../../test/data-file.ts'
import { doorTo } from '../../../../test/door-to.ts'
import { admin } from '../../../../test/table-of.ts'
import { rolePolicy } from '../../../admin/accounts/roles.ts'
import type { Actor } from '../../../server/actor.ts'
import { AppError } from '../../../server/app-error.ts'
import { testComponent } from '../../../server/component/test-component.ts'
import { createCatalog } from '../../catalog.ts'
import type { Definitions } from '../../definition/define-table.ts'
import type { Policy } from '../../source/access.ts'
import type { RowSource } from '../../source/row-source.ts'
import { createListComponent } from '../component.ts'
import { createTotals } from '../totals.ts'

let data: OpenDataFile
let source: RowSource

const SCHEMA = `
  create table tasks (id integer primary key, title text, position integer);
  create table lists (id integer primary key, name text);
  create table songs (list_id integer references lists(id), song text, sort_order integer,
    primary key (list_id, song), unique (list_id, sort_order));
`

beforeEach(async () => {
  const tasks = Array.from({ length: 60 }, (_, at) => at + 1)
  data = await openDataFile(`${SCHEMA}; begin;
    insert into tasks values ${tasks.map((id) => `(${id}, 'Task ${id}', ${id * 10})`).join()};
    insert into lists values (1, 'Calm'), (2, 'Loud');
    insert into songs values (1, 'A', 1), (1, 'B', 2), (1, 'C', 3), (2, 'A', 1), (2, 'B', 2), (2, 'C', 3);
    commit`)
  ;({ source } = data)
})
afterEach(() => data.close())

const ids = (sql = 'select id from tasks order by position, id'): unknown[] =>
  data.rows(sql).map((row) => Object.values(row)[0])

type Options = { definitions?: Definitions; policy?: Policy; actor?: Actor }

async function openList(table: string, query = '', options: Options = {}) {
  const { definitions = {}, policy = rolePolicy, actor = admin } = options
  const catalog = await createCatalog(source, policy, { definitions })
  const component = createListComponent({
    ...{ source, totals: createTotals(source), catalog: () => catalog },
    door: doorTo(source, () => catalog),
    href: (name) => `/tables/${name}`,
  })
  const params = { table }
  return testComponent(component, { actor, params, query: new URLSearchParams(query) })
}

const keysOf = (rows: readonly (readonly unknown[])[]) => rows.map(([key]) => key)

describe('the mode', () => {
  test('sets search, sort and filters aside, and gives them back', async () => {
    const list = await openList('tasks', 'search=Task+4&sort=-title')
    expect(list.data).toMatchObject({ reorderStatus: true, currentlyReorderingStatus: false })
    expect(list.data).toMatchObject({
      defaultReorderColumn: 'position',
      reorderDisplayColumn: true,
    })
    const before = keysOf(list.view.rows)
    await list.call.enableReordering()
    expect(list.data).toMatchObject({ currentlyReorderingStatus: true })
    expect(keysOf(list.view.rows).slice(0, 3)).toEqual(['1', '2', '3'])
    expect(list.view).toMatchObject({ search: '', total: { kind: 'exact', count: 60 } })
    expect(list.view.reorder?.mode).toMatchObject({ keyName: 'id', column: 'position' })
    expect(list.effects.url?.href).toContain('reorder=on')
    await list.call.disableReordering()
    expect(keysOf(list.view.rows)).toEqual(before)
    expect(list.effects.url?.href).toBe('/tables/tasks?search=Task%204&sort=-title')
  })

  test('shows a column that is hidden unless reordering, and hides it again', async () => {
    const reorder = { column: 'position', hideColumnUnlessReordering: true }
    const list = await openList('tasks', '', { definitions: { tasks: { reorder } } })
    const columns = () => list.view.columns.map(({ name }) => name)
    expect(columns()).toEqual(['title'])
    expect(list.data).toMatchObject({ reorderDisplayColumn: false })
    expect(list.data).toMatchObject({ hideReorderColumnUnlessReorderingStatus: true })
    await list.call.enableReordering()
    expect(columns()).toEqual(['title', 'position'])
    expect(list.data).toMatchObject({ reorderDisplayColumn: true })
    await list.call.disableReordering()
    expect(columns()).toEqual(['title'])
    expect(list.data).toMatchObject({ reorderDisplayColumn: false })
  })

  test('is reached by address, and left by one', async () => {
    const list = await openList('tasks', 'search=Task+4&reorder=on')
    expect(list.data).toMatchObject({ currentlyReorderingStatus: true })
    expect(list.view.reorder?.mode?.leaveHref).toBe('/tables/tasks?search=Task%204')
  })

  test.each(['banana', 'off', ''])('is refused, not left out, for “reorder=%s”', async (value) => {
    await expect(openList('tasks', `reorder=${value}`)).rejects.toMatchObject({
      code: 'TABLE_BAD_PARAMETER',
    })
  })

  test('no property of it can be written by the browser', async () => {
    const list = await openList('tasks')
    for (const name of ['currentlyReorderingStatus', 'reorderStatus', 'defaultReorderColumn'])
      await expect(list.set({ [name]: true })).rejects.toMatchObject({ code: 'PROPERTY_LOCKED' })
  })
})

const viewer: Actor = { ...admin, id: 'vi', role: 'viewer' }
/** Everything but writing the position. */
const fixedPosition: Policy = {
  version: 'fixed',
  grant(actor, table) {
    const grant = rolePolicy.grant(actor, table)
    return { ...grant, writable: grant.writable.filter((name) => name !== 'position') }
  },
}

describe('people who may not reorder', () => {
  test.each<[string, Options & { isReadOnly?: boolean }]>([
    ['because the database takes no changes', { isReadOnly: true }],
    ['because they only read', { actor: viewer }],
    ['because the column is not theirs to write', { policy: fixedPosition }],
    ['because the table is declared so', { definitions: { tasks: { write: false } } }],
    ['because there is no order', { definitions: { tasks: { reorder: false } } }],
  ])('%s, are offered nothing, and refused', async (_why, { isReadOnly, ...options }) => {
    if (isReadOnly) await source.writing?.allow(false)
    const list = await openList('tasks', 'reorder=on', options)
    expect(list.data).toMatchObject({ reorderStatus: false, currentlyReorderingStatus: false })
    expect(list.view).not.toHaveProperty('reorder')
    const refused = { code: 'TABLE_READ_ONLY' }
    await expect(list.call.enableReordering()).rejects.toMatchObject(refused)
    await expect(list.call.reorderPage([], 1)).rejects.toMatchObject(refused)
    await expect(list.call.spaceOutPositions()).rejects.toMatchObject(refused)
    await expect(list.call.storeReorder([{ id: '2', position: 1 }])).rejects.toMatchObject(refused)
    expect(ids().slice(0, 2)).toEqual([1, 2])
  })

  test('the mode ends when the permission is taken back', async () => {
    const list = await openList('tasks', 'reorder=on')
    await source.writing?.allow(false)
    await list.refresh()
    expect(list.data).toMatchObject({ currentlyReorderingStatus: false, reorderStatus: false })
    await expect(list.call.storeReorder([{ id: '2', position: 1 }])).rejects.toMatchObject({
      code: 'TABLE_READ_ONLY',
    })
  })
})

describe('saving', () => {
  test('moves rows to places in the whole order, writes only those, and ends the mode', async () => {
    const list = await openList('tasks', 'reorder=on&search=Task+4')
    const rows = [
      { id: '55', position: 2 },
      { id: 3, position: 60 },
    ]
    expect(await list.call.storeReorder(rows)).toEqual({ status: 'done', written: 2, entry: null })
    expect(ids().slice(0, 4)).toEqual([1, 55, 2, 4])
    expect(ids().at(-1)).toBe(3)
    expect(list.data).toMatchObject({ currentlyReorderingStatus: false, search: 'Task 4' })
  })

  test('tells what others have changed, writes nothing, and stays in the mode', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('update tasks set position = 15 where id = 40')
    const seen = [{ key: '9', previous: '1', next: '2' }]
    expect(await list.call.storeReorder([{ id: '9', position: 2 }], seen)).toEqual({
      status: 'conflict',
      changed: [{ key: '9', label: 'Task 9', previous: 'Task 1', next: 'Task 40' }],
    })
    expect(ids().slice(0, 3)).toEqual([1, 40, 2])
    expect(list.data).toMatchObject({ currentlyReorderingStatus: true })
    expect(await list.call.storeReorder([{ id: '9', position: 2 }])).toMatchObject({
      status: 'done',
    })
    expect(ids().slice(0, 4)).toEqual([1, 9, 40, 2])
  })

  test('tells where a row stands that others have moved meanwhile', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('update tasks set position = 900 where id = 9')
    const from = { previous: '8', next: '10' }
    const seen = [{ key: '9', previous: null, next: '1', from }]
    const move = [{ id: '9', position: 1 }]
    expect(await list.call.storeReorder(move, seen)).toEqual({
      status: 'conflict',
      changed: [
        {
          ...{ key: '9', label: 'Task 9', previous: null, next: 'Task 1' },
          from: { previous: 'Task 60', next: null },
        },
      ],
    })
    expect(ids().at(-1)).toBe(9)
    expect(await list.call.storeReorder(move)).toMatchObject({ status: 'done' })
    expect(ids()[0]).toBe(9)
  })

  test('a row of many that is not named in a conflict is shown by its key, not as an end', async () => {
    const list = await openList('tasks', 'reorder=on')
    // Nobody stands where they were seen.
    const seen = Array.from({ length: 30 }, (_, at) => ({ key: `${2 * at + 1}`, previous: '150' }))
    const moved = seen.map(({ key }) => ({ id: key, position: Number(key) }))
    data.run("insert into tasks select id + 100, 'Task ' || (id + 100), position + 600 from tasks")
    const far = { key: '147', previous: '1', next: '148' }
    const result = await list.call.storeReorder(
      [...moved, { id: '147', position: 107 }],
      [...seen, far],
    )
    expect(result).toMatchObject({ status: 'conflict' })
    const changed = result?.status === 'conflict' ? result.changed : []
    expect(changed[1]).toMatchObject({ previous: 'Task 2', next: 'Task 4' })
    expect(changed.at(-1)).toEqual({ key: '147', label: '147', previous: '146', next: '148' })
  })

  test('a conflict whose labels take too long is told with keys', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('update tasks set position = 15 where id = 40')
    vi.spyOn(source, 'row').mockRejectedValue(new AppError('QUERY_TIMEOUT'))
    const seen = [{ key: '9', previous: '1', next: '2' }]
    expect(await list.call.storeReorder([{ id: '9', position: 2 }], seen)).toEqual({
      status: 'conflict',
      changed: [{ key: '9', label: '9', previous: '1', next: '40' }],
    })
  })

  test('a place beyond the end, which has come nearer meanwhile, is the end', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('delete from tasks where id > 57')
    const rows = [
      { id: '3', position: 60 },
      { id: '9', position: 59 },
    ]
    const seen = [{ key: '3', previous: '9', next: null }]
    const late = { key: '9', previous: '60', next: '3' }
    expect(await list.call.storeReorder(rows, [...seen, late])).toEqual({
      status: 'conflict',
      changed: [{ key: '9', label: 'Task 9', previous: 'Task 57', next: 'Task 3' }],
    })
    expect(ids().slice(-2)).toEqual([56, 57])
    expect(await list.call.storeReorder(rows)).toMatchObject({ status: 'done' })
    expect(ids().slice(-3)).toEqual([57, 9, 3])
  })

  test('whoever saw the same end saves at once, though a row before it has gone', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('delete from tasks where id = 20')
    const seen = [{ key: '9', previous: '60', next: null }]
    expect(await list.call.storeReorder([{ id: '9', position: 60 }], seen)).toMatchObject({
      status: 'done',
    })
    expect(ids().slice(-2)).toEqual([60, 9])
  })

  test('names rows that have gone', async () => {
    const list = await openList('tasks', 'reorder=on')
    data.run('delete from tasks where id = 9')
    expect(await list.call.storeReorder([{ id: '9', position: 2 }])).toEqual({
      status: 'missing',
      keys: ['9'],
    })
  })

  test.each<[string, { [name: string]: string | number }[]]>([
    ['another column', [{ id: '9', title: 2 }]],
    ['no key', [{ position: 2 }]],
    ['a key that no row can have', [{ id: 'nine', position: 2 }]],
    ['a place that is none', [{ id: '9', position: 1.5 }]],
    ['a place before the first', [{ id: '9', position: 0 }]],
    ['more than key and place', [{ id: '9', position: 2, title: 'x' }]],
    [
      'a row twice',
      [
        { id: '9', position: 2 },
        { id: 9, position: 3 },
      ],
    ],
    [
      'a place twice',
      [
        { id: '9', position: 2 },
        { id: '8', position: 2 },
      ],
    ],
  ])('refuses %s', async (_what, rows) => {
    const list = await openList('tasks', 'reorder=on')
    await expect(list.call.storeReorder(rows)).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
    expect(ids().slice(0, 3)).toEqual([1, 2, 3])
  })

  test('spaces positions out in the order that they have', async () => {
    data.run('update tasks set position = 61 - id')
    const list = await openList('tasks', 'reorder=on')
    expect(list.view.reorder?.mode).toMatchObject({ isDense: true })
    expect(await list.call.spaceOutPositions()).toEqual({
      status: 'done',
      written: 60,
      entry: null,
    })
    expect(ids().slice(0, 3)).toEqual([60, 59, 58])
    expect(ids('select position from tasks order by 1').slice(0, 3)).toEqual([1024, 2048, 3072])
    expect(list.view.reorder?.mode).toMatchObject({ isDense: false })
  })
})

describe('an order within a parent', () => {
  test('is offered once one parent is chosen, and no other row can be moved', async () => {
    const all = await openList('songs')
    expect(all.view.reorder).toEqual({ obstacle: expect.stringContaining('List') })
    await expect(all.call.storeReorder([{ key: '1,C', sort_order: 1 }])).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    })
    const one = await openList('songs', 'filter.list_id=1')
    expect(one.view.reorder).toEqual({})
    await one.call.enableReordering()
    expect(keysOf(one.view.rows)).toEqual(['1,A', '1,B', '1,C'])
    expect(one.view.reorder?.mode?.keyName).toBe('key')
    expect(await one.call.storeReorder([{ key: '2,C', sort_order: 1 }])).toMatchObject({
      status: 'missing',
    })
    expect(await one.call.storeReorder([{ key: '1,C', sort_order: 1 }])).toMatchObject({
      status: 'done',
    })
    const order = 'select song from songs where list_id ='
    expect(ids(`${order} 1 order by sort_order`)).toEqual(['C', 'A', 'B'])
    expect(ids(`${order} 2 order by sort_order`)).toEqual(['A', 'B', 'C'])
  })
})

describe('a page of the order as it will be', () => {
  test('shows moved rows at their places, and the others in between', async () => {
    const list = await openList('tasks', 'reorder=on')
    const first = await list.call.reorderPage(
      [
        ['55', 2],
        ['1', 27],
      ],
      1,
    )
    expect(keysOf(first.rows).slice(0, 4)).toEqual(['2', '55', '3', '4'])
    expect(first).toMatchObject({ start: 0, count: 60, hasMore: true })
    expect(first.rows).toHaveLength(25)
    const second = await list.call.reorderPage(
      [
        ['55', 2],
        ['1', 27],
      ],
      2,
    )
    expect(keysOf(second.rows).slice(0, 3)).toEqual(['26', '1', '27'])
    const last = await list.call.reorderPage([['1', 60]], 3)
    expect(keysOf(last.rows)).toEqual([...Array.from({ length: 9 }, (_, at) => `${at + 52}`), '1'])
    expect(last.hasMore).toBe(false)
  })

  test('finds rows by their text, each with its stored place', async () => {
    const list = await openList('tasks', 'reorder=on&search=nothing')
    expect(await list.call.findInOrder('task 42')).toEqual([
      { key: '42', label: 'Task 42', rank: 42 },
    ])
    expect(await list.call.orderLength()).toBe(60)
  })
})
