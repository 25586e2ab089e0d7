/** Who else is here, as the channels tell it: which are joined, who is idle, and whose name is asked. */

import { beforeEach, expect, test } from 'vitest'
import type { PersonView } from '../protocol/presence-view.ts'
import type { Attention } from './attention.ts'
import type { ChannelHandlers } from './channel-handlers.ts'
import { type JoinedPresence, joinPresence } from './presence.ts'
import { createObservable } from './observable.ts'

const [TABLE, AWAKE, RECORD] = ['presence-table.a', 'presence-awake.a', 'presence-record.a.1']
const settle = () => new Promise((resolve) => setImmediate(resolve))

let joined: Map<string, ChannelHandlers>
let attention: ReturnType<typeof createObservable<Attention>>
let asked: string[][]
let fails: boolean

beforeEach(() => {
  joined = new Map()
  attention = createObservable<Attention>('awake')
  asked = []
  fails = false
})

function keep(record: string | null = null): JoinedPresence {
  return joinPresence({
    push: {
      listen(channel, handlers) {
        joined.set(channel, handlers)
        return () => void joined.delete(channel)
      },
    },
    channels: { table: TABLE, awake: AWAKE, record, label: 'Also here' },
    attention: { ...attention, stop() {} },
    async people(sealed) {
      asked.push(sealed)
      if (fails) throw new Error('away')
      return sealed.map(personOf)
    },
  })
}

const personOf = (sealed: string): PersonView => {
  const name = sealed.slice('sealed '.length)
  return { name, here: `${name} is here`, idle: `${name}, idle` }
}

/** Tells who is in a channel, besides the reader. */
const tell = (channel: string, ...names: string[]) =>
  joined.get(channel)?.members?.({
    members: ['me', ...names].map((id) => ({ id, info: `sealed ${id}` })),
    me: 'me',
  })

const shown = (presence: JoinedPresence) =>
  presence.getState().map(({ isIdle, person }) => (isIdle ? person.idle : person.here))

test('others are shown once their names are known, which are asked for once', async () => {
  const presence = keep()
  tell(AWAKE, 'Ana', 'Ben')
  tell(TABLE, 'Ana')
  expect(shown(presence)).toEqual([])
  await settle()
  expect(shown(presence)).toEqual(['Ana is here'])
  tell(TABLE, 'Ana', 'Ben')
  await settle()
  expect(shown(presence)).toEqual(['Ana is here', 'Ben is here'])
  tell(TABLE, 'Ben')
  expect(shown(presence)).toEqual(['Ben is here'])
  expect(asked).toEqual([['sealed Ana'], ['sealed Ben']])
})

test('who is not awake is idle and comes last; until that is known, nobody is', async () => {
  const presence = keep()
  tell(TABLE, 'Ana', 'Ben')
  await settle()
  expect(shown(presence)).toEqual(['Ana is here', 'Ben is here'])
  tell(AWAKE, 'Ben')
  expect(shown(presence)).toEqual(['Ben is here', 'Ana, idle'])
  tell(AWAKE, 'Ana', 'Ben')
  expect(shown(presence)).toEqual(['Ana is here', 'Ben is here'])
})

test('the page is awake, idle or gone as its person is', () => {
  const presence = keep(RECORD)
  expect([...joined.keys()].toSorted()).toEqual([AWAKE, RECORD, TABLE])
  attention.setState('idle')
  expect([...joined.keys()].toSorted()).toEqual([RECORD, TABLE])
  attention.setState('gone')
  expect([...joined.keys()]).toEqual([])
  attention.setState('awake')
  expect(joined.size).toBe(3)
  presence.stop()
  expect(joined.size).toBe(0)
  attention.setState('idle')
  expect(joined.size).toBe(0)
})

test('on a record those are shown who are on it', async () => {
  const presence = keep(RECORD)
  tell(TABLE, 'Ana', 'Ben')
  tell(RECORD, 'Ben')
  await settle()
  expect(shown(presence)).toEqual(['Ben is here'])
})

test('names that were not answered are asked for again with the next change', async () => {
  const presence = keep()
  fails = true
  tell(TABLE, 'Ana')
  await settle()
  fails = false
  expect(shown(presence)).toEqual([])
  tell(TABLE, 'Ana', 'Ben')
  await settle()
  expect(shown(presence)).toEqual(['Ana is here', 'Ben is here'])
})

test('nothing is told once it has stopped', async () => {
  const presence = keep()
  tell(TABLE, 'Ana')
  presence.stop()
  await settle()
  expect(shown(presence)).toEqual([])
})
