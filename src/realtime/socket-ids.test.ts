import { expect, test } from 'vitest'
import { isSocketId } from './channels.ts'
import { socketIds } from './socket-ids.ts'

test('an id tells every node whose socket it is, and nobody else', () => {
  const [one, other] = [socketIds('a secret'), socketIds('a secret')]
  const made = Array.from({ length: 1000 }, () => one.make('ada'))
  expect(new Set(made).size).toBe(1000)
  for (const id of made) {
    expect(isSocketId(id)).toBe(true)
    expect(other.isOf(id, 'ada')).toBe(true)
    expect(other.isOf(id, 'bob')).toBe(false)
    expect(other.isOf(id, undefined)).toBe(false)
    expect(socketIds('another secret').isOf(id, 'ada')).toBe(false)
  }
  expect(other.isOf(one.make(undefined), undefined)).toBe(true)
  for (const id of ['', '1', '1.2', '1.', `${made[0]}.1`, ` ${made[0]}`])
    expect(other.isOf(id, 'ada')).toBe(false)
})
