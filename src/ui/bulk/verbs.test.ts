import { expect, test } from 'vitest'
import { bulk } from '../../messages/bulk/en.ts'
import type { BulkOffer } from '../../protocol/plan-view.ts'
import { verbsOf } from './verbs.ts'

const offered = (offer: BulkOffer) => verbsOf(offer, bulk).map(({ id, keys }) => [id, keys ?? ''])

test('what the server offers is offered, and what takes rows away stands last', () => {
  const own = [{ name: 'close', label: 'Close', hasForm: false }]
  expect(offered({ delete: true, own, edit: true })).toEqual([
    ['edit', 'e'],
    ['own close', ''],
    ['delete', 'Backspace'],
  ])
  expect(offered({ restore: true })).toEqual([['restore', '']])
})

test('where rows can be marked as deleted, the key marks them, and Shift deletes', () => {
  expect(offered({ delete: true, mark: true })).toEqual([
    ['mark', 'Backspace'],
    ['delete', 'Shift+Backspace'],
  ])
})

test('an action that asks for something first says so by three dots', () => {
  const own = (hasForm: boolean) => ({ own: [{ name: 'assign', label: 'Assign', hasForm }] })
  expect(verbsOf(own(true), bulk)[0]).toMatchObject({ label: 'Assign…', begin: { form: 'own' } })
  expect(verbsOf(own(false), bulk)[0]).toMatchObject({ label: 'Assign', begin: { form: null } })
})
