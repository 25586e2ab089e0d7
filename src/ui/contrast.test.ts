/** Every pair of colours that meet on a page, against the least contrast of WCAG 2.2 AA. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

/** Text: the ink, and the grounds it stands on. */
const TEXT: Record<string, string[]> = {
  'ink-1': [
    'canvas',
    'ground',
    'sunken',
    'raised',
    'raised-hover',
    'row-even',
    'row-hover',
    'accent-tint',
    'accent-tint-2',
  ],
  'ink-2': [
    'canvas',
    'ground',
    'sunken',
    'raised',
    'raised-hover',
    'row-even',
    'row-hover',
    'accent-tint',
    'accent-tint-2',
  ],
  'ink-3': [
    'canvas',
    'ground',
    'sunken',
    'raised',
    'raised-hover',
    'row-even',
    'row-hover',
    'accent-tint',
  ],
  accent: ['canvas', 'ground', 'raised', 'accent-tint', 'accent-tint-2', 'sunken'],
  'on-accent': ['accent-fill', 'accent-fill-hover', 'bad-fill', 'bad-fill-hover'],
  ok: ['ok-tint', 'canvas'],
  warn: ['warn-tint', 'canvas'],
  bad: ['bad-tint', 'canvas', 'raised'],
  idle: ['idle-tint'],
  new: ['new-tint'],
}

/** Edges, marks and focus. */
const SHAPES: Record<string, string[]> = {
  'line-3': ['canvas', 'ground', 'raised', 'row-even', 'row-hover'],
  focus: ['canvas', 'ground', 'sunken', 'accent-tint-2', 'raised'],
  'accent-line': ['canvas', 'ground'],
  'ok-line': ['canvas'],
  'warn-line': ['canvas'],
  'bad-line': ['canvas'],
  'accent-fill': ['canvas'],
  rule: ['canvas'],
}

type Theme = 'light' | 'dark'

const css = readFileSync(new URL('./styles/tokens.css', import.meta.url), 'utf8')
const colours = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
)

/** Relative luminance of `#rrggbb` (WCAG 2.2). */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

function colour(name: string, theme: Theme): string {
  const found = colours.get(name)
  if (!found) throw new Error(`No token [--${name}] with a light and a dark colour.`)
  return found[theme]
}

const pairs = (groups: Record<string, string[]>, least: number) =>
  Object.entries(groups).flatMap(([ink, grounds]) =>
    grounds.map((ground) => [ink, ground, least] as const),
  )

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  test.each([...pairs(TEXT, 4.5), ...pairs(SHAPES, 3)])('%s on %s: %s', (ink, ground, least) => {
    expect(contrast(colour(ink, theme), colour(ground, theme))).toBeGreaterThanOrEqual(least)
  })
})

test('each colour is written once, for both themes', () => {
  expect(css.match(/#[0-9a-f]{3,8}\b/gi)).toHaveLength(colours.size * 2)
})
