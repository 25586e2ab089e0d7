/** Frames that RFC 6455 forbids, or that this server does not take, each with the codes it may close with. */

import { clientFrame, type FrameOptions } from './raw-socket.ts'

export type Malformed = { readonly name: string; readonly bytes: Buffer; readonly codes: number[] }

/** Protocol error; unsupported, malformed, forbidden or too large data. */
const [PROTOCOL, UNSUPPORTED, NOT_UTF8, VIOLATION, TOO_LARGE] = [1002, 1003, 1007, 1008, 1009]

const bad = (
  name: string,
  codes: number[],
  payload: string | Buffer,
  options: FrameOptions = {},
): Malformed => ({ name, bytes: clientFrame(payload, options), codes })

export function malformedFrames(): Malformed[] {
  return [
    ...reservedBits(),
    ...opcodes(),
    ...controls(),
    ...lengths(),
    ...texts(),
    ...fragments(),
    ...closes(),
  ]
}

function* reservedBits(): Iterable<Malformed> {
  for (let reserved = 1; reserved < 8; reserved++)
    for (const opcode of [0, 1, 2, 8, 9, 10])
      yield bad(`reserved bits ${reserved}, opcode ${opcode}`, [PROTOCOL], 'x', {
        reserved,
        opcode,
      })
}

function* opcodes(): Iterable<Malformed> {
  for (const opcode of [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
    for (const payload of ['', 'x', 'x'.repeat(200)])
      yield bad(`opcode ${opcode}, ${payload.length} bytes`, [PROTOCOL], payload, { opcode })
  for (const opcode of [0, 1, 2, 8, 9, 10])
    for (const payload of ['', 'x', 'x'.repeat(125)])
      yield bad(`unmasked opcode ${opcode}, ${payload.length} bytes`, [PROTOCOL], payload, {
        opcode,
        isMasked: false,
      })
  for (const length of [0, 1, 125, 126, 127, 5000])
    yield bad(`binary, ${length} bytes`, [UNSUPPORTED], 'x'.repeat(length), { opcode: 2 })
}

function* controls(): Iterable<Malformed> {
  for (const opcode of [8, 9, 10]) {
    yield bad(`fragmented control ${opcode}`, [PROTOCOL], 'x', { opcode, isFinal: false })
    for (const length of [126, 127, 200, 65_535, 65_536])
      yield bad(`control ${opcode} of ${length}`, [PROTOCOL], 'x'.repeat(length), { opcode })
  }
}

function* lengths(): Iterable<Malformed> {
  const announced = [
    65_537n,
    100_000n,
    2n ** 20n,
    2n ** 30n,
    2n ** 31n,
    2n ** 32n,
    2n ** 52n,
    2n ** 53n,
  ]
  for (const length of [...announced, 2n ** 62n, 2n ** 63n, 2n ** 64n - 1n])
    for (const opcode of [1, 2])
      yield bad(`announces ${length}, opcode ${opcode}`, [TOO_LARGE, PROTOCOL], 'x', {
        opcode,
        length,
        lengthBytes: 8,
      })
  yield bad('a text of 70 kB', [TOO_LARGE], 'x'.repeat(70_000))
}

/** Byte sequences that are no UTF-8: lone, missing and surplus bytes, long forms, surrogates, beyond. */
const NOT_TEXT = [
  '80', 'bf', 'c0', 'c1', 'c3', 'e2', 'e282', 'f0', 'f09f', 'f09f92', 'fe', 'ff', 'c080', 'c1bf',
  'e08080', 'e09fbf', 'f0808080', 'f08fbfbf', 'eda080', 'edbfbf', 'eda080edb080', 'f4908080', 'f5808080',
  'f8888080', 'fc8480808080', '41c3', 'c341', 'e28241', '8080', 'c3c3', 'f09f9241', '00ff', '7fbf',
] // prettier-ignore

function* texts(): Iterable<Malformed> {
  for (const hex of NOT_TEXT) {
    const bytes = Buffer.from(hex, 'hex')
    yield bad(`text ${hex}`, [NOT_UTF8], bytes)
    yield bad(`text {"${hex}`, [NOT_UTF8], Buffer.concat([Buffer.from('{"event":"'), bytes]))
  }
}

function* fragments(): Iterable<Malformed> {
  const start = clientFrame('{', { isFinal: false })
  const join = (name: string, codes: number[], ...frames: Buffer[]): Malformed => ({
    name,
    codes,
    bytes: Buffer.concat(frames),
  })
  yield bad('goes on with nothing', [PROTOCOL], 'x', { opcode: 0 })
  yield bad('goes on with nothing, not final', [PROTOCOL], 'x', { opcode: 0, isFinal: false })
  for (const opcode of [1, 2])
    yield join(`begins anew with ${opcode}`, [PROTOCOL], start, clientFrame('x', { opcode }))
  for (const hex of NOT_TEXT.slice(0, 12)) {
    const bytes = Buffer.from(hex, 'hex')
    const rest = clientFrame(bytes, { opcode: 0 })
    yield join(`text in two parts, ${hex}`, [NOT_UTF8], start, rest)
  }
  const part = clientFrame('x', { opcode: 0, isFinal: false })
  yield join('of 1,000 parts', [VIOLATION], start, ...Array<Buffer>(1000).fill(part))
  const large = clientFrame('x'.repeat(30_000), { opcode: 0, isFinal: false })
  yield join('of parts that are too large together', [TOO_LARGE], start, large, large, large)
  yield join(
    'binary in parts',
    [UNSUPPORTED],
    clientFrame('x', { opcode: 2, isFinal: false }),
    clientFrame('x', { opcode: 0 }),
  )
}

function* closes(): Iterable<Malformed> {
  yield bad('a close of one byte', [PROTOCOL], 'x', { opcode: 8 })
  for (const code of [0, 1, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535]) {
    const bytes = Buffer.alloc(2)
    bytes.writeUInt16BE(code)
    yield bad(`a close with ${code}`, [PROTOCOL], bytes, { opcode: 8 })
  }
  for (const hex of NOT_TEXT.slice(0, 8))
    yield bad(`a close for ${hex}`, [NOT_UTF8], Buffer.from(`03e8${hex}`, 'hex'), { opcode: 8 })
}
