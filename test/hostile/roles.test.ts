/** Hostile onlookers in roles of one's own, drawn by chance: what a role hides is in no answer. */

import { expect, test } from 'vitest'
import type { Roles } from '../../src/table/roles/role.ts'
import { SEED } from '../tier.ts'
import { draw, record } from './attack.ts'
import { drawnRoles, makeRoleOffice, rolesOf } from './role-worlds.ts'
import { openTarget, type Target } from './target.ts'
import { recordWalks, tellApart, type Walk, walks } from './walks.ts'
import type { World } from './worlds.ts'

type Drawn = Parameters<typeof makeRoleOffice>[2]

/** An office in which somebody has the role; they take the place of the viewer. */
async function openWorld(
  world: World,
  drawn: Drawn,
  roles: Roles = rolesOf(drawn),
): Promise<Target> {
  const prepare = (file: string) => makeRoleOffice(file, world, drawn)
  const target = await openTarget({ prepare, table: 'people', roles })
  return { ...target, people: { ...target.people, viewer: await target.signIn('support') } }
}

type Told = { readonly cases: number; readonly wrong: readonly string[] }

async function tell(drawn: Drawn, taken: readonly Walk[], roles?: Roles): Promise<Told> {
  const worlds = [
    await openWorld('one', drawn, roles),
    await openWorld('two', drawn, roles),
  ] as const
  const wrong: string[] = []
  let cases = 0
  for (const walk of taken) {
    cases += 2 * (1 + walk.steps.length + Number(walk.html) + Number(Boolean(walk.exported)))
    wrong.push(...(await tellApart(worlds, 'viewer', walk)))
  }
  for (const { complaints } of worlds) wrong.push(...complaints)
  await Promise.all(worlds.map((target) => target.close()))
  return { cases, wrong: wrong.map((text) => `${JSON.stringify(drawn)}: ${text}`) }
}

test('two databases that differ only in what a role hides cannot be told apart', async ({
  task,
}) => {
  // A part of the walks for each role.
  const [ofLists, ofRecords] = [draw(walks, 120), draw(recordWalks, 80)]
  const roles = draw(drawnRoles, 8)
  const partOf = (all: readonly Walk[], at: number) => all.filter((_, i) => i % roles.length === at)
  for (const [at, drawn] of roles.entries()) {
    const taken = [...partOf(ofLists, at), ...partOf(ofRecords, at)]
    const { cases, wrong } = await tell(drawn, taken)
    record(task, 'roles', cases)
    expect(wrong.slice(0, 5), `${wrong.length} differences, seed ${SEED}`).toEqual([])
  }
})

/** A role that sees some rows and columns of people. */
const SOME: Drawn = [
  {
    name: 'people',
    read: ['name', 'grade'],
    rows: { rows: { op: 'lte', column: 'id', value: 60 }, sql: 'id <= 60', of: ['id'] },
  },
]
const LIST: Walk = { url: '/tables/people', html: false, steps: [] }
const LAST: Walk = { url: '/tables/people?sort=-id', html: false, steps: [] }

test.each([
  ['rows', { read: ['name', 'grade'] }, LAST],
  ['columns', { read: true, rows: { op: 'lte', column: 'id', value: 60 } }, LIST],
] as const)('and can be where a role leaves out its %s', async (_part, people, walk) => {
  expect((await tell(SOME, [walk])).wrong).toEqual([])
  expect((await tell(SOME, [walk], { support: { tables: { people } } })).wrong).not.toEqual([])
})
