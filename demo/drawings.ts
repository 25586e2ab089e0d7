/** What the demo's photographs show, drawn from shapes. */

import type { Colour, Drawing } from './png.ts'

const mix = (a: Colour, b: Colour, share: number): Colour => {
  const part = Math.min(1, Math.max(0, share))
  return [0, 1, 2].map((at) => (a[at] ?? 0) + ((b[at] ?? 0) - (a[at] ?? 0)) * part) as [
    number,
    number,
    number,
  ]
}

const SKY: Colour = [122, 160, 190]
const PALE: Colour = [206, 220, 228]
const STEEL: Colour = [96, 104, 110]
const DARK: Colour = [36, 40, 44]
const LIGHT: Colour = [200, 204, 206]
const GRASS: Colour = [92, 124, 62]
const ASPHALT: Colour = [74, 76, 80]

/** Places in a square of the picture's height, from its middle. */
const centred =
  (draw: (x: number, y: number, far: number, turn: number) => Colour): Drawing =>
  (x, y) => {
    const [dx, dy] = [(x - 0.5) * 1.5, y - 0.5]
    return draw(dx, dy, Math.hypot(dx, dy), Math.atan2(dy, dx) / (2 * Math.PI) + 0.5)
  }

/** Blades around a hub, in their ring. */
const fan = centred((_x, _y, far, turn) => {
  if (far > 0.46) return STEEL
  if (far > 0.41) return LIGHT
  if (far < 0.09) return turn * 2 - far * 6 > 0.6 && far > 0.03 ? LIGHT : DARK
  const blade = (turn * 18 + far * 3) % 1
  return blade < 0.62 ? mix(LIGHT, STEEL, blade * 1.5) : DARK
})

/** An engine's inlet before the sky. */
const inlet = centred((x, y, far) => {
  if (far < 0.08 + x * 0.02) return LIGHT
  if (far < 0.24) return mix(DARK, STEEL, far * 2)
  if (far < 0.42) return mix(PALE, STEEL, 0.5 + y)
  return mix(SKY, PALE, 0.5 + y)
})

/** A feather on a blade. */
const feather: Drawing = (x, y) => {
  const [along, across] = [x * 0.8 + (1 - y) * 0.6, y * 0.8 - (1 - x) * 0.35 - 0.22]
  const width = 0.13 * Math.sqrt(Math.max(0, Math.sin(Math.min(1, along / 1.25) * Math.PI)))
  if (Math.abs(across) < 0.008 && along > 0.15) return [236, 230, 216]
  if (Math.abs(across) < width) {
    const barb = (along * 30 + Math.abs(across) * 40) % 1
    return mix([170, 164, 150], [120, 112, 100], barb)
  }
  return mix(ASPHALT, STEEL, (x + y) / 2)
}

/** A runway with birds above it. */
const runway: Drawing = (x, y) => {
  const horizon = 0.45
  if (y < horizon) {
    const birds: readonly (readonly [number, number])[] = [
      ...([
        [0.3, 0.2],
        [0.42, 0.28],
        [0.52, 0.17],
        [0.68, 0.25],
      ] as const),
    ]
    const isBird = birds.some(([bx, by]) => {
      const [dx, dy] = [Math.abs(x - bx), y - by]
      return dx < 0.04 && Math.abs(dy + 0.02 - dx * 0.6) < 0.012
    })
    return isBird ? DARK : mix(SKY, PALE, y / horizon)
  }
  const depth = (y - horizon) / (1 - horizon)
  const side = Math.abs(x - 0.5) / (0.05 + depth * 0.42)
  if (side > 1) return mix(GRASS, [120, 146, 84], depth)
  if (side > 0.92) return LIGHT
  return side < 0.04 && Math.sin(30 / (depth + 0.25)) > 0 ? LIGHT : ASPHALT
}

/** A goose on the grass. */
const goose: Drawing = (x, y) => {
  const within = (cx: number, cy: number, rx: number, ry: number) =>
    ((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2 < 1
  const isNeck = x > 0.57 && x < 0.62 + (y - 0.5) * 0.1 && y > 0.28 && y < 0.55
  if (within(0.655, 0.28, 0.035, 0.02)) return [190, 140, 60]
  if (within(0.6, 0.27, 0.045, 0.055) || isNeck) return DARK
  if (within(0.47, 0.56, 0.17, 0.13)) return mix([128, 108, 86], [88, 72, 58], (y - 0.43) * 4)
  if (y > 0.66 && y < 0.8 && (Math.abs(x - 0.44) < 0.008 || Math.abs(x - 0.5) < 0.008)) return DARK
  return y < 0.4 ? mix(PALE, SKY, 0.4 - y) : mix([120, 146, 84], GRASS, (y - 0.4) * 1.6)
}

/** By the names of their files. */
export const DRAWINGS: readonly (readonly [name: string, drawing: Drawing])[] = [
  ['fan-blades', fan],
  ['engine-inlet', inlet],
  ['feather-on-blade', feather],
  ['birds-over-runway', runway],
  ['goose-on-grass', goose],
]
