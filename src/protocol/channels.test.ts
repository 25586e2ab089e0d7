import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { channelName, channelReader } from './channels.ts'

describe('a channel’s name', () => {
  test('has the parameters in their places', () => {
    expect(channelName('private-orders.{id}', { id: '17' })).toBe('private-orders.17')
    expect(channelName('presence-record.{table}.{key}', { table: 'order items', key: 'a.b' })).toBe(
      'presence-record.order=20items.a=2Eb',
    )
  })

  test('leads back to its parameters, whatever they are', () => {
    const text = fc.string({ minLength: 1, unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (table, key) => {
        const pattern = 'presence-record.{table}.{key}'
        const name = channelName(pattern, { table, key })
        expect(name).toMatch(/^[A-Za-z0-9_\-=@,.;]+$/)
        expect(channelReader(pattern)(name)).toEqual({ table, key })
      }),
    )
  })

  test('has one spelling', () => {
    for (const name of [
      'private-orders.',
      'private-orders.1.2',
      'private-orders.=31',
      'private-orders.=2e',
      'private-orders.=FF',
      'private-orders.=',
      'private-orders.%31',
      'Xprivate-orders.1',
      'private-orders.1\n',
    ])
      expect(channelReader('private-orders.{id}')(name)).toBeUndefined()
  })

  test('needs all of its parameters', () => {
    expect(() => channelName('private-orders.{id}', { id: '' })).toThrow(/needs a text for \{id\}/)
  })
})
