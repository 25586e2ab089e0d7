import { expect, test } from 'vitest'
import { allowedValues } from './check-list.ts'

test.each([
  [`CHECK (status = ANY (ARRAY['new'::text, 'it''s'::text]))`, 'status', ['new', "it's"]],
  [
    `CHECK (status::text = ANY (ARRAY['a'::character varying, 'b'::character varying(20)]::text[]))`,
    'status',
    ['a', 'b'],
  ],
  [
    `CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])))`,
    'status',
    ['a', 'b'],
  ],
  [`CHECK (status = 'only'::text)`, 'status', ['only']],
  [`CHECK (status IS NULL OR status = 'a'::text OR status = 'b'::text)`, 'status', ['a', 'b']],
  [`CHECK ("Sta ""tus" = ANY (ARRAY['a'::"my type"])) NOT VALID`, 'Sta "tus', ['a']],
  [`CHECK (VALUE = ANY (ARRAY['a'::text, E'\\\\'::text])) NO INHERIT`, 'VALUE', ['a', '\\']],
  [`CHECK (status IN ('a':::STRING, 'b':::STRING))`, 'status', ['a', 'b']],
  [`CHECK (mood = ANY (ARRAY['a'::public.mood, ''::public.mood]))`, 'mood', ['a', '']],
])('%s lists values', (check, column, values) => {
  expect(allowedValues(check)).toEqual({ column, values })
})

test.each([
  'CHECK (total > 0)',
  `CHECK (status <> 'a'::text)`,
  `CHECK (NOT status = 'a'::text)`,
  `CHECK (status = 'a'::text OR kind = 'b'::text)`,
  `CHECK (status = 'a'::text AND total > 0)`,
  `CHECK (lower(status) = ANY (ARRAY['a'::text]))`,
  `CHECK (status = kind)`,
  `CHECK (size = ANY (ARRAY[1, 2]))`,
  `CHECK (status IS NULL)`,
  `CHECK (status = ANY (ARRAY['a'::text, lower('B'::text)]))`,
  'UNIQUE (a)',
  '',
])('%s lists none', (check) => {
  expect(allowedValues(check)).toBeUndefined()
})
