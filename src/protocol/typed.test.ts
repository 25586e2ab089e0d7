import { expect, test } from 'vitest'
import { isTyped } from './typed.ts'

test('the number confirms a plan with its separators, with others, and without', () => {
  for (const text of ['48,210', '48210', ' 48210 ', '48.210', '48 210', '48’210'])
    expect(isTyped(text, 48_210, '48,210')).toBe(true)
  for (const text of ['', ' ', ',', '4821', '48,2100', 'x48210', '-48210', '48,210 rows'])
    expect(isTyped(text, 48_210, '48,210')).toBe(false)
})

test.each(['ar-EG', 'fa', 'mr', 'en-IN'])(
  'in %s it is typed as it is shown, or in 0 to 9',
  (locale) => {
    const shown = new Intl.NumberFormat(locale).format(48_210)
    const bare = new Intl.NumberFormat(locale, { useGrouping: false }).format(48_210)
    for (const text of [shown, ` ${shown} `, bare, '48210'])
      expect(isTyped(text, 48_210, shown)).toBe(true)
    const other = new Intl.NumberFormat(locale).format(48_211)
    for (const text of ['', other, '48211']) expect(isTyped(text, 48_210, shown)).toBe(false)
  },
)
