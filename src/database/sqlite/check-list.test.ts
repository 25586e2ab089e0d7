import { expect, test } from 'vitest'
import { allowedValues } from './check-list.ts'

test.for([
  [`create table t (s text check (s in ('a', 'b')))`, { s: ['a', 'b'] }],
  [`create table t (s text, check("s" IN('it''s','b,c', ')')))`, { s: ["it's", 'b,c', ')'] }],
  [`create table t ([S] text CHECK (\n [S] in ('a') -- or more\n ))`, { s: ['a'] }],
  [`create table t (s text check (s is null or s in ('a', 'b')))`, { s: ['a', 'b'] }],
  [
    `create table t (a check (a in ('x')), "größe" check ("größe" in ('y')))`,
    { a: ['x'], größe: ['y'] },
  ],
  [`create table t (s text check ((s is null) or (s in ('a', 'b'))))`, { s: ['a', 'b'] }],
  [`create table t (s text check ((r is null) or (s in ('a', 'b'))))`, {}],
  [`create table t (s text check (s in ('a', 'b') or s = 'c'))`, {}],
  [`create table t (s text check (s not in ('a')))`, {}],
  [`create table t (s text check (length(s) > 1))`, {}],
  [`create table t (n int check (n in (1, 2)))`, {}],
  [`create table t (s text default 'check (s in (''a''))')`, {}],
  [`create table t (s /* check (s in ('a')) */ text)`, {}],
  [`create table t (s text check (s in (`, {}],
  ['', {}],
])('reads the list of [%s]', ([text, lists]) => {
  expect(Object.fromEntries(allowedValues(text as string))).toEqual(lists)
})
