import { expect, test } from 'vitest'
import { textFrame } from './frame.ts'

test('a frame says how long its text is, as RFC 6455 does', () => {
  const heads: Readonly<Record<number, string>> = {
    0: '8100',
    125: '817d',
    126: '817e007e',
    65_535: '817effff',
    65_536: '817f0000000000010000',
    100_000: '817f00000000000186a0',
  }
  for (const [length, head] of Object.entries(heads)) {
    const text = 'x'.repeat(Number(length))
    expect(textFrame(text)).toEqual(Buffer.concat([Buffer.from(head, 'hex'), Buffer.from(text)]))
  }
  expect(textFrame('ä€')).toEqual(Buffer.from('8105c3a4e282ac', 'hex'))
})
