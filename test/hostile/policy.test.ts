/** Hostile onlookers: what a policy hides is in no answer, no order, no count and no refusal. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SEED } from '../tier.ts'
import { draw, record } from './attack.ts'
import { visit } from './requests.ts'
import { openTarget, readPage, type Target } from './target.ts'
import { recordWalks, take, tellApart, walks, withoutSecrets } from './walks.ts'
import { hidingPolicy, makeOffice, type World } from './worlds.ts'

const family = 'policy'
let worlds: readonly [Target, Target]

const open = (world: World) =>
  openTarget({
    prepare: (file) => makeOffice(file, world),
    table: 'people',
    policy: hidingPolicy,
  })

beforeAll(async () => void (worlds = [await open('one'), await open('two')]))
afterAll(() => Promise.all(worlds.map((target) => target.close())))

describe('two databases that differ only in what is hidden cannot be told apart', () => {
  test.for(['viewer', 'editor'] as const)('by a %s', async (role, { task }) => {
    const wrong: string[] = []
    let cases = 0
    for (const walk of [...draw(walks, 190), ...draw(recordWalks, 150)]) {
      cases += 2 * (1 + walk.steps.length + Number(walk.html) + Number(Boolean(walk.exported)))
      wrong.push(...(await tellApart(worlds, role, walk)))
    }
    record(task, family, cases)
    expect(wrong.slice(0, 10), `${wrong.length} differences, seed ${SEED}`).toEqual([])
    for (const { complaints } of worlds) expect(complaints).toEqual([])
  })
})

describe('what is hidden is refused like what is not there', () => {
  const pairs = [
    ['/tables/payroll', '/tables/nowhere'],
    ['/tables/people?sort=salary', '/tables/people?sort=nothing'],
    ['/tables/people?sort=-diagnosis', '/tables/people?sort=-nothing'],
    ['/tables/people?columns=name,salary', '/tables/people?columns=name,nothing'],
    ['/tables/teams?columns=budget', '/tables/teams?columns=nothing'],
    ['/tables/reviews?sort=due_on', '/tables/reviews?sort=nothing'],
    ['/tables/notes?sort=salary', '/tables/notes?sort=nothing'],
    ['/tables/people?filter.salary=1', '/tables/people?filter.nothing=1'],
    ['/tables/payroll/records/1', '/tables/nowhere/records/1'],
    ['/tables/teams/records/3', '/tables/teams/records/999'],
    ['/tables/notes/records/1', '/tables/notes/records/x'],
  ] as const
  const names = /payroll|nowhere|salary|diagnosis|budget|due_on|nothing|records.\w+/g

  test.for(pairs)('%s and %s', async ([hidden, missing], { task }) => {
    for (const target of worlds)
      for (const person of [target.people.viewer, target.people.editor])
        for (const as of ['data', 'html'] as const) {
          const [one, other] = [
            await target.send(visit(person, hidden, as)),
            await target.send(visit(person, missing, as)),
          ]
          const plain = (body: string) => withoutSecrets(body, person).replace(names, '…')
          expect(one.status).toBeGreaterThanOrEqual(400)
          expect(one.status).toBe(other.status)
          expect(plain(one.body)).toBe(plain(other.body))
        }
    record(task, family, 16)
  })
})

test('what is left to see can be searched, sorted and turned over', async ({ task }) => {
  const { viewer } = worlds[0].people
  const addresses = [
    ['/tables/people?search=person%200', 25],
    ['/tables/people?search=30000', 0],
    ['/tables/people?sort=-name,grade&page=2', 25],
    ['/tables/reviews', 25],
    ['/tables/notes?search=note', 25],
    ['/tables/teams?sort=region', 8],
  ] as const
  for (const [url, count] of addresses) {
    const { components } = await readPage(worlds[0].send, url, viewer.cookie)
    const list = components.find(({ name }) => name === 'list')
    expect(list?.view, url).toHaveProperty('rows.length', count)
  }
  record(task, family, addresses.length)
})

test('a walk that exports reads a file of what is left to see', async ({ task }) => {
  const walk = { url: '/tables/teams?sort=name', html: false, steps: [] }
  const [world] = worlds
  const { seen, wrong } = await take(world, world.people.viewer, {
    ...walk,
    exported: [['columns', 'all']],
  })
  expect(seen.at(-1)).toMatch(/^200 .*\n\uFEFF?ID,Name,Region\r\n1,Team 1,south\r\n/)
  expect([seen.at(-1)?.trimEnd().split('\r\n').length, wrong]).toEqual([1 + 8, []])
  record(task, family, 2)
})

test('an administrator, from whom nothing is hidden, does tell them apart', async () => {
  const wrong = await tellApart(worlds, 'admin', { url: '/tables/people', html: false, steps: [] })
  expect(wrong).not.toEqual([])
})
