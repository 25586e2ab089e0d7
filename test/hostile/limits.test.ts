/** Forgers are slowed down; whoever works next to them is not. Sessions share what their person may do. */

import { afterEach, expect, test } from 'vitest'
import { HEADERS, NAVIGATE } from '../../src/protocol/wire.ts'
import { record } from './attack.ts'
import { call, update, visit } from './requests.ts'
import { openTarget, type Person, type Target } from './target.ts'
import { makeOffice } from './worlds.ts'

const family = 'limits'
const START = Date.now()
let target: Target

afterEach(() => target.close())

const open = async (limits: {
  requestsPerMinute?: number
  forgeriesPerMinute?: number
  now?: () => number
}) =>
  (target = await openTarget({
    prepare: (file) => makeOffice(file, 'one'),
    table: 'notes',
    // No limit grows while a test sends its requests.
    now: () => START,
    ...limits,
  }))

const forged = (person: Person) =>
  update(person, { snapshot: person.snapshots['list']!.replace('"table"', '"tabel"') })

const works = async (person: Person) => {
  const { status } = await target.send(call(person, 'list', { method: 'total', params: [] }))
  return status === 200
}

test('a person who forges snapshots is slowed after thirty, and can still work', async ({
  task,
}) => {
  await open({ forgeriesPerMinute: 30 })
  const { viewer, editor } = target.people
  const answers = []
  for (let i = 0; i < 100; i++) answers.push(await target.send(forged(viewer)))
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array(30).fill(419),
    ...Array(70).fill(429),
  ])
  expect(Number(answers.at(-1)!.headers['retry-after'])).toBeGreaterThan(0)
  expect(await works(viewer)).toBe(true)
  expect(await works(editor)).toBe(true)
  // The neighbour at the same address has all of their own mistakes before them.
  expect((await target.send(forged(editor))).status).toBe(419)
  record(task, family, 101)
})

test('a person who forges tokens is slowed as well', async ({ task }) => {
  await open({ forgeriesPerMinute: 30 })
  const { viewer, editor } = target.people
  const statuses = []
  for (let i = 0; i < 60; i++) {
    const request = update({ ...viewer, csrf: editor.csrf }, { snapshot: viewer.snapshots['list'] })
    statuses.push((await target.send(request)).status)
  }
  expect(statuses).toEqual([...Array(30).fill(419), ...Array(30).fill(429)])
  expect(await works(viewer)).toBe(true)
  record(task, family, 60)
})

test('strangers at an address are slowed, and those signed in there are not', async ({ task }) => {
  await open({ requestsPerMinute: 50 })
  const { viewer } = target.people
  const statuses = []
  for (let i = 0; i < 80; i++) {
    const headers = { 'x-forwarded-for': `10.0.0.${i}`, 'x-real-ip': `10.0.0.${i}` }
    const request = update({ ...viewer, cookie: 'a=b' }, { snapshot: viewer.snapshots['list'] })
    const spoofed = { ...request, headers: { ...request.headers, ...headers } }
    statuses.push((await target.send(spoofed)).status)
  }
  expect(statuses).toEqual([...Array(50).fill(419), ...Array(30).fill(429)])
  expect(await works(viewer)).toBe(true)
  record(task, family, 80)
})

test('pages that are fetched ahead have a share of their own, and leave that of clicks whole', async ({
  task,
}) => {
  await open({ requestsPerMinute: 40 })
  const { viewer, editor } = target.people
  /** How many of 60 pages a person gets. */
  const gets = async (person: Person, as: string) => {
    const { headers, ...request } = visit(person, '/tables/notes', 'data')
    const asked = { ...request, headers: { ...headers, [HEADERS.navigate]: as } }
    let shown = 0
    for (let i = 0; i < 60; i++) if ((await target.send(asked)).status === 200) shown++
    return shown
  }
  expect(await gets(viewer, NAVIGATE.prefetch)).toBe(10)
  const clicks = await gets(viewer, NAVIGATE.visit)
  expect(clicks).toBeGreaterThan(30)
  expect(await gets(editor, NAVIGATE.visit)).toBe(clicks)
  record(task, family, 180)
})

test('a person who asks too much is slowed alone', async ({ task }) => {
  await open({ requestsPerMinute: 40 })
  const { viewer, editor } = target.people
  const worked = []
  for (let i = 0; i < 60; i++) worked.push(await works(viewer))
  expect(worked).toEqual([...Array(40).fill(true), ...Array(20).fill(false)])
  expect(await works(editor)).toBe(true)
  expect((await target.send(visit(viewer, '/tables/notes'))).status).toBe(200)
  record(task, family, 61)
})

test('five sessions of a person have one limit', async ({ task }) => {
  await open({ requestsPerMinute: 40 })
  const { admin, viewer } = target.people
  const sessions = [admin, target.elsewhere]
  for (let i = 0; i < 3; i++) sessions.push(await target.signIn('admin'))
  const statuses = []
  for (let i = 0; i < 60; i++)
    statuses.push(
      (await target.send(call(sessions[i % 5]!, 'list', { method: 'total', params: [] }))).status,
    )
  expect(statuses).toEqual([...Array(40).fill(200), ...Array(20).fill(429)])
  expect(await works(viewer)).toBe(true)
  record(task, family, 61)
})

test('an update counts as many times as it has components', async ({ task }) => {
  await open({ requestsPerMinute: 40 })
  const { viewer, editor } = target.people
  const snapshot = viewer.snapshots['list']!
  const many = (count: number) => target.send(update(viewer, ...Array(count).fill({ snapshot })))
  expect([(await many(20)).status, (await many(19)).status]).toEqual([200, 200])
  const refused = await many(20)
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '29'])
  expect(await works(editor)).toBe(true)
  record(task, family, 3)
})

test('whoever is slowed may go on in seconds, not at the end of a minute', async ({ task }) => {
  let now = START
  await open({ requestsPerMinute: 60, now: () => now })
  const { viewer } = target.people
  const ask = () => target.send(call(viewer, 'list', { method: 'total', params: [] }))
  for (let i = 0; i < 60; i++) await ask()
  const refused = await ask()
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
  now += 1000
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429])
  record(task, family, 63)
})
