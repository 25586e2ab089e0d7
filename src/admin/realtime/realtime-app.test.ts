import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadRealtimeApp } from './realtime-app.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'tablewire-realtime-app-'))
const secret = '0123456789abcdef0123456789abcdef'

test('is made once, for the owner’s eyes, and kept', async () => {
  const data = folder()
  const [first, again] = [await loadRealtimeApp(data, {}), await loadRealtimeApp(data, {})]
  expect(again).toEqual(first)
  const file = join(data, 'realtime')
  expect(readFileSync(file, 'utf8')).toBe(`${first.id}:${first.key}:${first.secret}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await loadRealtimeApp(folder(), {})).not.toEqual(first)
})

test('is taken from the environment, and then nothing is written', async () => {
  const env = { TABLEWIRE_REALTIME: `shop:shop-key-1:${secret}` }
  expect(await loadRealtimeApp('/nowhere', env)).toEqual({
    id: 'shop',
    key: 'shop-key-1',
    secret,
  })
})

test('is taken as docs/realtime.md writes it', async () => {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/realtime.md'), 'utf8')
  const [, beginning = ''] = /such as `([^`]*)` and the output of `openssl rand/.exec(docs) ?? []
  const given = beginning + secret.repeat(2)
  expect(await loadRealtimeApp('/nowhere', { TABLEWIRE_REALTIME: given })).toMatchObject({
    key: 'shop',
  })
})

test.each([
  ['', 'is not like'],
  ['shop:key', 'is not like'],
  [`shop:shop-key-1:${secret}:more`, 'is not like'],
  ['shop:shop-key-1:secret', 'is not like'],
  [`shop:shop-key-1:${'a'.repeat(40)}`, 'repeats too few characters'],
])('refuses %j', async (TABLEWIRE_REALTIME, words) => {
  const refused = await loadRealtimeApp('/nowhere', { TABLEWIRE_REALTIME }).catch(String)
  expect(refused).toContain('TABLEWIRE_REALTIME')
  expect(refused).toContain(words)
})
