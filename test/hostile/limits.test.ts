/** Forgers are slowed down; whoever works next to them, or in the same session, is not. */

import { afterEach, expect, test } from 'vitest'
import { record } from './attack.ts'
import { call, update, visit } from './requests.ts'
import { openTarget, type Person, type Target } from './target.ts'
import { makeOffice } from './worlds.ts'

const family = 'limits'
let target: Target

afterEach(() => target.close())

const open = async (limits: { requestsPerMinute?: number; forgeriesPerMinute?: number }) =>
  (target = await openTarget({
    prepare: (file) => makeOffice(file, 'one'),
    table: 'notes',
    ...limits,
  }))

const forged = (person: Person) =>
  update(person, { snapshot: person.snapshots['list']!.replace('"table"', '"tabel"') })

const works = async (person: Person) => {
  const { status } = await target.send(call(person, 'list', { method: 'total', params: [] }))
  return status === 200
}

test('a session that forges snapshots is slowed after thirty, and can still work', async ({
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

test('a session that forges tokens is slowed as well', async ({ task }) => {
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

test('a session that asks too much is slowed alone', async ({ task }) => {
  await open({ requestsPerMinute: 40 })
  const { viewer, editor } = target.people
  const worked = []
  for (let i = 0; i < 60; i++) worked.push(await works(viewer))
  expect(worked).toEqual([...Array(40).fill(true), ...Array(20).fill(false)])
  expect(await works(editor)).toBe(true)
  expect((await target.send(visit(viewer, '/tables/notes'))).status).toBe(200)
  record(task, family, 61)
})
