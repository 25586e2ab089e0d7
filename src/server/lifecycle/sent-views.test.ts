import { expect, test } from 'vitest'
import { applyPatch } from '../../protocol/patch.ts'
import { sentViews } from './sent-views.ts'

const viewOf = (digest: string, value: unknown) => ({ digest, view: JSON.stringify(value) })

test('what was sent is patched, once for all who saw it', () => {
  const sent = sentViews()
  const rows = Array.from({ length: 9 }, (_, at) => [String(at), 'a title that is rather long'])
  const before = viewOf('before', { rows })
  const now = viewOf('now', { rows: rows.with(3, ['3', 'another']) })
  sent.keep(before)
  const patch = sent.patch('before', now)!
  expect(JSON.stringify(applyPatch({ rows }, patch))).toBe(now.view)
  expect(JSON.stringify(patch).length).toBeLessThan(now.view.length / 3)
  expect(sent.patch('before', now)).toBe(patch)
})

test('there is no patch of what nobody was sent, nor one that is as long as the view', () => {
  const sent = sentViews()
  sent.keep(viewOf('before', { title: 'one' }))
  expect(sent.patch('another', viewOf('now', {}))).toBeNull()
  expect(sent.patch('before', viewOf('now', { title: 'two' }))).toBeNull()
})

test('the oldest views are forgotten once they are too long together', () => {
  const sent = sentViews()
  const long = 'x'.repeat(1024 * 1024)
  const one = (n: number, title: string) => viewOf(`${n} ${title}`, { long, n, title })
  for (let n = 0; n < 8; n++) sent.keep(one(n, 'old'))
  expect(sent.patch('0 old', one(0, 'new'))).toBeNull()
  expect(sent.patch('7 old', one(7, 'new'))).toEqual({ in: { title: { to: 'new' } } })
})
