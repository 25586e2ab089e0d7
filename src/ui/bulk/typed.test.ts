import { expect, test } from 'vitest'
import { isTyped } from './typed.ts'

test('the number confirms a plan with its separators, with others, and without', () => {
  for (const text of ['48,210', '48210', ' 48210 ', '48.210', '48 210', '48’210'])
    expect(isTyped(text, '48,210')).toBe(true)
  for (const text of ['', '4821', '48,2100', 'x48210', '-48210', '48,210 rows'])
    expect(isTyped(text, '48,210')).toBe(false)
})
