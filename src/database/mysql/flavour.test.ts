import { expect, test } from 'vitest'
import { flavourOf } from './flavour.ts'

test.each([
  ['10.11.6-MariaDB-0+deb12u1', 'MariaDB 10.11.6'],
  ['5.5.5-10.6.12-MariaDB', 'MariaDB 10.6.12'],
  ['11.4.2-MariaDB-log', 'MariaDB 11.4.2'],
  ['8.0.16', 'MySQL 8.0.16'],
  ['8.0.36', 'MySQL 8.0.36'],
  ['8.4.3-0ubuntu0.24.04.1', 'MySQL 8.4.3'],
  ['9.1.0', 'MySQL 9.1.0'],
])('%s is %s', (version, engine) => {
  expect(flavourOf(version).engine).toBe(engine)
})

test.each(['5.7.44-log', '8.0.15', '10.3.39-MariaDB', '10.4.34-MariaDB', '5.6.51'])(
  '%s is too old',
  (version) => {
    expect(() => flavourOf(version)).toThrow(
      expect.objectContaining({ detail: expect.stringContaining('MySQL 8.0.16, MariaDB 10.5') }),
    )
  },
)

test('defaults and checks are written as somebody would write them', () => {
  const [maria, mysql] = [flavourOf('10.11.6-MariaDB'), flavourOf('8.0.36')]
  expect(maria.defaultOf("'it''s'", '')).toBe("'it''s'")
  expect(maria.defaultOf('NULL', '')).toBeNull()
  expect(mysql.defaultOf("it's", '')).toBe("'it''s'")
  expect(mysql.defaultOf('(uuid())', 'DEFAULT_GENERATED')).toBe('(uuid())')
  expect(mysql.defaultOf(null, '')).toBeNull()
  expect(mysql.defaultOf("concat(_utf8mb4\\'it\\\\\\'s\\')", 'DEFAULT_GENERATED')).toBe(
    "concat('it''s')",
  )
  expect(mysql.checkClause("(`s` in (_utf8mb4\\'a\\',_utf8mb4\\'b\\\\\\\\c\\'))")).toBe(
    "`s` in ('a','b\\c')",
  )
  expect(mysql.checkClause("((`_x'y` > 0) or (`_x'y` < 9))")).toBe("(`_x'y` > 0) or (`_x'y` < 9)")
  expect(mysql.checkClause('json_valid(`j`)')).toBe('json_valid(`j`)')
})
