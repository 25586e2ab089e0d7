/** Hostile moves: nothing changes unless the answer says so, nothing hidden is told, the order stays whole. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HEADERS } from '../../src/protocol/wire.ts'
import { SEED } from '../tier.ts'
import { draw, expectService, record } from './attack.ts'
import { judge } from './oracle.ts'
import {
  movesOf,
  openList,
  openOrdered,
  orderIn,
  plausibleParams,
  queries,
  readRows,
  resultIn,
  storeReorder,
  strangeParams,
  TASKS,
  wrongChange,
  type Ordered,
} from './reordering.ts'
import { update } from './requests.ts'
import type { Person } from './target.ts'
import { withoutSecrets } from './walks.ts'
import { HIDDEN_WORDS } from './worlds.ts'

const family = 'reorder'
const ALLOWED = [200, 400, 403, 413, 422]
let worlds: readonly [Ordered, Ordered]

beforeAll(async () => void (worlds = [await openOrdered('one'), await openOrdered('two')]))
afterAll(() => Promise.all(worlds.map(({ target }) => target.close())))

type Call = { readonly method: string; readonly params: readonly unknown[] }
type By = { readonly address: string; readonly list: string; person(one: Ordered): Person }

const editor: By = {
  address: '/tables/tasks?reorder=on',
  list: 'tasks',
  person: ({ target }) => target.people.editor,
}

/** Sends a call in both worlds; says what is wrong with the answers, the data and their likeness. */
async function tryBoth(
  { list, person }: By,
  snapshots: readonly string[],
  call: Call,
): Promise<string[]> {
  const wrong: string[] = []
  const seen: string[] = []
  for (const [at, world] of worlds.entries()) {
    const who = person(world)
    const before = readRows(world)
    const snapshot = snapshots[at]
    const request = update(who, { snapshot, calls: [call] })
    const answer = await world.target.send(request)
    wrong.push(...judge(answer, request, ALLOWED, world.target.secrets))
    const asked = JSON.stringify(call)
    for (const word of HIDDEN_WORDS)
      if (answer.body.includes(word) && !asked.includes(word)) wrong.push(`shows ${word}`)
    const result = call.method === 'storeReorder' ? resultIn(answer) : undefined
    const moves = movesOf(call.params, list === 'tasks' ? 'id' : 'key')
    wrong.push(...wrongChange(before, readRows(world), { list, result, moves }))
    seen.push(`${answer.status} ${withoutSecrets(answer.body, who)}`)
  }
  if (seen[0] !== seen[1]) wrong.push(`differs: ${seen.join(' / ').slice(0, 2000)}`)
  return wrong.map((one) => `${JSON.stringify(call).slice(0, 300)}: ${one}`)
}

async function tryAll(by: By, calls: readonly Call[]): Promise<string[]> {
  const wrong: string[] = []
  const open = (world: Ordered) => openList(world, by.person(world), by.address)
  const snapshots = await Promise.all(worlds.map(open))
  for (const call of calls) wrong.push(...(await tryBoth(by, snapshots, call)))
  for (const { target } of worlds) expect(target.complaints).toEqual([])
  return wrong
}

const stores = (all: readonly (readonly unknown[])[]): Call[] =>
  all.map((params) => ({ method: 'storeReorder', params }))

describe('a payload', () => {
  test('that no page sends is refused, or says what it has done', async ({ task }) => {
    const wrong = await tryAll(editor, stores(strangeParams))
    record(task, family, strangeParams.length * 2)
    expect(wrong.slice(0, 5), `${wrong.length} wrong`).toEqual([])
  })

  test('of any keys and places is refused, or says what it has done', async ({ task }) => {
    const before = readRows(worlds[0])
    const cases = stores(draw(plausibleParams, 250))
    const wrong = await tryAll(editor, cases)
    record(task, family, cases.length * 2)
    expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([])
    expect(readRows(worlds[0]), 'moves that are in order are made').not.toEqual(before)
  })

  test('is refused alike for a row that is hidden and one that is not there', async () => {
    const { target } = worlds[0]
    const { editor } = target.people
    const bodies = new Set<string>()
    for (const id of [TASKS + 1, 999_999]) {
      const snapshot = await openList(worlds[0], editor, '/tables/tasks?reorder=on')
      const answer = await target.send(storeReorder(editor, snapshot, [{ id, position: 1 }]))
      bodies.add(withoutSecrets(answer.body, editor).replaceAll(String(id), 'KEY'))
    }
    expect(bodies.size).toBe(1)
  })
})

test('what the mode may be asked tells nothing hidden and changes nothing', async ({ task }) => {
  const cases = draw(queries, 120)
  const wrong = await tryAll(editor, cases)
  record(task, family, cases.length * 2)
  expect(wrong.slice(0, 5), `${wrong.length} wrong, seed ${SEED}`).toEqual([])
})

describe('a parent', () => {
  const songs = (query: string): By => ({
    ...editor,
    address: `/tables/songs?reorder=on${query}`,
    list: 'songs 1',
  })
  const hidden = HIDDEN_WORDS.flatMap((word) => [`1,${word} 0`, `2,${word} 1`])
  const odd = ['1,nothing', '9,A', '1', '1,C,1', '', 'C', '1,%', '1,c', '3,C ']
  const moves = ['1,C', '2,C', ...hidden, ...odd].flatMap((key) =>
    [1, 8, 9].map((position) => [[{ key, position }]]),
  )

  test.for([
    '&filter.list_id=1',
    '',
    '&filter.list_id.in=1,2',
    '&filter.list_id=9',
    '&filter.song=C',
  ])('chosen by [%s] bounds what can be moved', async (query, { task }) => {
    const wrong = await tryAll(songs(query), stores(moves))
    record(task, family, moves.length * 2)
    expect(wrong.slice(0, 5), `${wrong.length} wrong`).toEqual([])
  })
})

describe('somebody who may not put the rows in order', () => {
  const calls: Call[] = [
    ...stores([[[{ id: '2', position: 1 }]], [[{ id: '31', position: 1 }]], [[]], [null]]),
    ...['spaceOutPositions', 'enableReordering', 'orderLength'].map((method) => ({
      ...{ method, params: [] },
    })),
    { method: 'reorderPage', params: [[['2', 1]], 1] },
    { method: 'findInOrder', params: ['Task'] },
  ]

  test('because they only read, is refused', async ({ task }) => {
    const viewer: By = { ...editor, person: ({ target }) => target.people.viewer }
    const before = worlds.map(readRows)
    const wrong = await tryAll(viewer, calls)
    record(task, family, calls.length * 2)
    expect(wrong).toEqual([])
    expect(worlds.map(readRows)).toEqual(before)
  })

  test('because the database takes no changes, is refused', async ({ task }) => {
    const frozen = await openOrdered('one', false)
    const { target } = frozen
    const before = readRows(frozen)
    for (const person of Object.values(target.people))
      for (const { method, params } of calls) {
        const snapshot = await openList(frozen, person, '/tables/tasks?reorder=on')
        const request = update(person, { snapshot, calls: [{ method, params }] })
        const answer = await target.send(request)
        expect(judge(answer, request, [200, 400, 403, 422], target.secrets)).toEqual([])
        expect(resultIn(answer)).toBeUndefined()
      }
    record(task, family, calls.length * 3)
    expect(readRows(frozen)).toEqual(before)
    expect(target.complaints).toEqual([])
    await target.close()
  })
})

describe('a snapshot', () => {
  test('of somebody else, of another table or tampered with moves nothing', async ({ task }) => {
    const [world] = worlds
    const { target } = world
    const { admin, editor, viewer } = target.people
    const own = await openList(world, editor, '/tables/tasks?reorder=on')
    const lists = await openList(world, editor, '/tables/lists')
    const flipped = [...own].map((char, at) =>
      at % 17 === 0 ? own.slice(0, at) + (char === '0' ? '1' : '0') + own.slice(at + 1) : '',
    )
    const cases: [Person, unknown][] = [
      [viewer, own],
      [admin, own],
      [target.elsewhere, own],
      [editor, lists],
      [editor, admin.snapshots['list']],
      [editor, editor.snapshots['shell']],
      [editor, own.replace('tasks', 'songs')],
      [editor, own.replaceAll('false', 'true')],
      ...[null, {}, [], '', 'null', '{}'].map((one): [Person, unknown] => [editor, one]),
      ...flipped.filter((text) => text !== '').map((text): [Person, unknown] => [editor, text]),
    ]
    const before = readRows(world)
    for (const [person, snapshot] of cases) {
      const request = storeReorder(person, snapshot, [{ id: '5', position: 1 }])
      const answer = await target.send(request)
      expect(judge(answer, request, [200, 400, 404, 419, 422], target.secrets)).toEqual([])
      expect(resultIn(answer)).toBeUndefined()
    }
    record(task, family, cases.length)
    expect(readRows(world)).toEqual(before)
    expect(target.complaints).toEqual([])
  })

  test('from before others moved rows still writes only what it says', async ({ task }) => {
    const [world] = worlds
    const { target } = world
    const { editor } = target.people
    const old = await openList(world, editor, '/tables/tasks?reorder=on')
    for (let at = 0; at < 40; at++) {
      const before = readRows(world)
      const order = orderIn(before, 'tasks')
      const key = order[(at * 7) % TASKS]!
      const rank = 1 + ((at * 11) % TASKS)
      const others = order.filter((one) => one !== key)
      // Every other time with neighbours that were never there.
      const previous = at % 2 === 0 ? (others[rank - 2] ?? null) : key === '1' ? '2' : '1'
      const next = at % 2 === 0 ? (others[rank - 1] ?? null) : key === '1' ? '2' : '1'
      const params = [[{ id: key, position: rank }], [{ key, previous, next }]]
      const result = resultIn(await target.send(storeReorder(editor, old, ...params)))
      expect(result?.status).toBe(at % 2 === 0 ? 'done' : 'conflict')
      const moves = [[key, rank]] as const
      expect(wrongChange(before, readRows(world), { list: 'tasks', result, moves })).toEqual([])
    }
    record(task, family, 40)
  })

  test('sent twice under one idempotency key moves its rows once', async () => {
    const [world] = worlds
    const { target } = world
    const { editor } = target.people
    const order = orderIn(readRows(world), 'tasks')
    const snapshot = await openList(world, editor, '/tables/tasks?reorder=on')
    const request = storeReorder(editor, snapshot, [{ id: order.at(-1)!, position: 1 }])
    const first = resultIn(await target.send(request))
    const between = readRows(world)
    const key = { [HEADERS.idempotencyKey]: 'hostile-other' }
    const other = storeReorder(editor, snapshot, [{ id: order[3]!, position: 1 }])
    await target.send({ ...other, headers: { ...other.headers, ...key } })
    const moved = readRows(world)
    expect(moved).not.toEqual(between)
    expect(resultIn(await target.send(request))).toEqual(first)
    expect(readRows(world)).toEqual(moved)
  })
})

test('two at once leave one order, and both are told the truth', async ({ task }) => {
  const [world] = worlds
  const { target } = world
  const { editor, admin } = target.people
  const counts = { done: 0, conflict: 0 }
  for (let at = 0; at < 60; at++) {
    const before = readRows(world)
    const order = orderIn(before, 'tasks')
    const rank = 2 + ((at * 5) % (TASKS - 4))
    // Both put a row between the same two.
    const [previous, next] = [order[rank - 2]!, order[rank - 1]!]
    const free = order.filter((_, place) => place > rank + 1 || place < rank - 3)
    const keys = [free[at % free.length]!, free[(at + 3) % free.length]!]
    const rankOf = (key: string) => (order.indexOf(key) < rank - 2 ? rank - 1 : rank)
    const answers = await Promise.all(
      [editor, admin].map(async (person, who) => {
        const key = keys[who]!
        const snapshot = await openList(world, person, '/tables/tasks?reorder=on')
        const rows = [{ id: key, position: rankOf(key) }]
        return target.send(storeReorder(person, snapshot, rows, [{ key, previous, next }]))
      }),
    )
    const results = answers.map((answer) => resultIn(answer))
    for (const result of results)
      if (result?.status === 'done' || result?.status === 'conflict') counts[result.status]++
      else expect(result?.status).toBe('done')
    const after = readRows(world)
    const winner = results.findIndex((result) => result?.status === 'done')
    expect(winner).toBeGreaterThanOrEqual(0)
    const moves = [[keys[winner]!, rankOf(keys[winner]!)]] as const
    const result = results[winner]
    expect(wrongChange(before, after, { list: 'tasks', result, moves })).toEqual([])
  }
  record(task, family, 120)
  expect(counts).toEqual({ done: 60, conflict: 60 })
  await expectService(target)
})
