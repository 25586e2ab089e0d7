/** Figures of the specification and of the content security policy, in the style sheets. */

import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ERROR_OVERLAY, TOOLTIP } from '../protocol/constants.ts'

const folder = new URL('./styles/', import.meta.url)
const css = readdirSync(folder)
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('')

/** Every rule that holds declarations: its selectors, and them. */
const rules = [...css.replaceAll(/\/\*.*?\*\//gs, '').matchAll(/([^{};]+)\{([^{}]*)\}/g)].map(
  ([, selectors = '', declarations = '']) => ({ selectors: selectors.trim(), declarations }),
)

/** The declarations of the first rule with this selector. */
const rule = (selector: string) =>
  css.split(`\n  ${selector} {\n`)[1]?.split('}')[0] ?? expect.fail(`No rule [${selector}].`)

test('spec §8: the error overlay has level 200000 and opacity 0.6', () => {
  expect(rule('.overlay')).toContain(`z-index: ${ERROR_OVERLAY.zIndex};`)
  expect(rule('.overlay')).toContain(`background: rgb(0 0 0 / ${ERROR_OVERLAY.opacity});`)
})

test('spec §9: a tooltip is at most 350 px wide, comes in 300 ms and goes in 250 ms', () => {
  expect(rule('.tip')).toContain(`max-inline-size: ${TOOLTIP.maxWidthPx}px;`)
  expect(rule('.tip')).toContain(`transition: opacity ${TOOLTIP.hideMs}ms;`)
  expect(rule('.tip.shown')).toContain(`transition: opacity ${TOOLTIP.showMs}ms;`)
})

test('whatever scrolls holds what is positioned in it, so that nothing scrolls anything around it', () => {
  const having = (pattern: RegExp) =>
    new Set(
      rules
        .filter(({ declarations }) => pattern.test(declarations))
        .flatMap(({ selectors }) => selectors.split(/,\s*/)),
    )
  const positioned = having(/\bposition: (relative|absolute|fixed|sticky);/)
  const scrolling = having(/\boverflow(-[xy])?: (auto|scroll);/)
  expect(scrolling.size).toBeGreaterThan(10)
  expect([...scrolling].filter((selector) => !positioned.has(selector))).toEqual([])
})
