/** Draws small pictures as PNG: a colour for each point, at most 256 of them. */

import { crc32, deflateSync } from 'node:zlib'

export type Colour = readonly [red: number, green: number, blue: number]

/** The colour at a place; both run from 0 to 1, from the upper left. */
export type Drawing = (x: number, y: number) => Colour

const [WIDTH, HEIGHT] = [240, 160]
/** Points on a side of each that is drawn, for smooth edges. */
const SAMPLES = 2
/** Steps of each colour: more would not fit a palette. */
const STEPS = 31

export function drawPng(draw: Drawing): Buffer {
  const palette: string[] = []
  const places = new Map<string, number>()
  const rows = Array.from({ length: HEIGHT }, (_, y) => {
    const row = Array.from({ length: WIDTH }, (__, x) => placeOf(pointAt(draw, x, y)))
    // Each row begins with its filter, which is none.
    return Buffer.from([0, ...row])
  })

  function placeOf(colour: string): number {
    const known = places.get(colour)
    if (known !== undefined) return known
    if (palette.length === 256) throw new RangeError('A picture has at most 256 colours.')
    places.set(colour, palette.length)
    return palette.push(colour) - 1
  }

  const head = Buffer.alloc(13)
  head.writeUInt32BE(WIDTH, 0)
  head.writeUInt32BE(HEIGHT, 4)
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', head),
    chunk('PLTE', Buffer.from(palette.join(''), 'hex')),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** The mean of the points of one place, as six hexadecimal digits. */
function pointAt(draw: Drawing, x: number, y: number): string {
  const sums = [0, 0, 0]
  for (let at = 0; at < SAMPLES ** 2; at++) {
    const [dx, dy] = [at % SAMPLES, Math.floor(at / SAMPLES)].map((part) => (part + 0.5) / SAMPLES)
    const colour = draw((x + (dx ?? 0)) / WIDTH, (y + (dy ?? 0)) / HEIGHT)
    for (const [channel, value] of colour.entries()) sums[channel] = (sums[channel] ?? 0) + value
  }
  return sums
    .map((sum) => Math.round((Math.round((sum / SAMPLES ** 2 / 255) * STEPS) / STEPS) * 255))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
