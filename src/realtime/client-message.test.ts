import { expect, test } from 'vitest'
import { readClientMessage } from './client-message.ts'

const codeOf = (source: string): number | null | undefined => {
  try {
    readClientMessage(source)
    return undefined
  } catch (error) {
    return (error as { code: number | null }).code
  }
}

test('reads what clients send, with data as an object or as text', () => {
  const subscribe = { event: 'pusher:subscribe', data: { channel: 'a', auth: '' } }
  expect(readClientMessage(JSON.stringify(subscribe))).toEqual(subscribe)
  const asText = { ...subscribe, data: JSON.stringify(subscribe.data) }
  expect(readClientMessage(JSON.stringify(asText))).toEqual(subscribe)
  expect(readClientMessage('{"event":"pusher:ping","data":{}}')).toEqual({ event: 'pusher:ping' })
  expect(
    readClientMessage('{"event":"client-a","channel":"private-a","data":1,"user_id":"9"}'),
  ).toEqual({ event: 'client-a', channel: 'private-a', data: 1 })
})

test('refuses everything else', () => {
  const bad = [
    '',
    'null',
    '[]',
    '1',
    '{}',
    '{"event":1}',
    '{"event":"pusher:other"}',
    '{"event":"order"}',
    '{"event":"pusher_internal:member_added","data":{}}',
    '{"event":"pusher:subscribe"}',
    '{"event":"pusher:subscribe","data":{}}',
    '{"event":"pusher:subscribe","data":"{"}',
    '{"event":"pusher:subscribe","data":{"channel":1}}',
    '{"event":"pusher:subscribe","data":{"channel":"a","auth":{}}}',
    '{"event":"client-a","data":1}',
    '{"event":"client-a","channel":"a","__proto__":{"x":1}}',
    '{"event":"client-a","channel":"a","channel":"b"}',
    `{"event":"client-${'a'.repeat(200)}","channel":"a"}`,
    `{"event":"client-a","channel":"a","data":${'['.repeat(50)}${']'.repeat(50)}}`,
    '{"event":"client-a","channel":"a","data":"\\ud800"}',
  ]
  for (const source of bad) expect(codeOf(source), source).toBeOneOf([null, 4301])
  expect(codeOf('{"event":"client-a","channel":"a"}')).toBeUndefined()
})
