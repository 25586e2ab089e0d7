/** Hostile headers: only a request that is wholly right does anything, and slow ones hurt nobody. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AddressInfo } from 'node:net'
import { record, withstand } from './attack.ts'
import { contentTypes, encodings } from './content-types.ts'
import { brokenTokens, foreignTokens, markers, origins, strangers } from './forgeries.ts'
import { rawAttacks, rawSender } from './raw-http.ts'
import { call, updateHeaders } from './requests.ts'
import { openTarget, type Target } from './target.ts'

const family = 'F5 headers'
let target: Target

beforeAll(async () => void (target = await openTarget()))
afterAll(() => target.close())

describe('a request is refused', () => {
  test('when its content type is spelt in any other way', (context) =>
    withstand(target, context, family, contentTypes(target)))

  test('when it is packed to be something else', (context) =>
    withstand(target, context, family, encodings(target)))

  test('when its token is that of somebody or something else', (context) =>
    withstand(target, context, family, foreignTokens(target)))

  test('when its token is none', (context) =>
    withstand(target, context, family, brokenTokens(target, 200)))

  test('when the browser says that it comes from another site', (context) =>
    withstand(target, context, family, origins(target)))

  test('when nobody is signed in', (context) =>
    withstand(target, context, family, strangers(target, 60)))

  test('when its marker, its method or its key is not right', (context) =>
    withstand(target, context, family, markers(target, 60)))

  test('when it is hardly HTTP', async (context) => {
    await target.admin.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = target.admin.app.server.address() as AddressInfo
    await withstand(target, context, family, rawAttacks(target), rawSender(port))
  })
})

test('a key that was used belongs to its request, whoever sends it again', async ({ task }) => {
  const { admin, viewer } = target.people
  const key = { 'idempotency-key': 'used-before-1' }
  const dark = call(admin, 'shell', { method: 'prefer', params: ['theme', 'dark'] })
  const light = call(admin, 'shell', { method: 'prefer', params: ['theme', 'light'] })
  const by = (request: typeof dark, person = admin) =>
    target.send({ ...request, headers: { ...updateHeaders(person), ...key } })

  expect((await by(dark)).status).toBe(200)
  expect((await by(dark)).status).toBe(200)
  const after = target.contents()
  expect((await by(light)).body).toContain('KEY_REUSED')
  expect((await by(dark, viewer)).status).toBe(419)
  expect(target.contents()).toBe(after)
  const own = call(viewer, 'shell', { method: 'prefer', params: ['theme', 'dark'] })
  expect((await by(own, viewer)).status).toBe(200)
  record(task, family, 5)
})
