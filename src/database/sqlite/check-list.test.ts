import { expect, test } from 'vitest'
import { allowedValues, namedChecks, switchColumns } from './check-list.ts'

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

test.for([
  [`create table t (n int constraint positive check (n > 0))`, { positive: 'n > 0' }],
  [
    `create table t (a int, b int, /* constraint c check (1) */
      constraint "Both Ways" check ((a > 0) and -- not (b)
        b <> ')' and [a] not in (1, (2))), constraint 'own' check("b">a))`,
    { 'both ways': `(a > 0) and b <> ')' and [a] not in (1, (2))`, own: '"b">a' },
  ],
  [`create table t (n constraint c check (n > 0), m constraint C check (m > 0))`, {}],
  [`create table t (n constraint c not null check (n > 0), "constraint" text)`, {}],
  [`create table t (n default 'constraint c check (n > 0)')`, {}],
])('reads the named conditions of [%s]', ([text, checks]) => {
  expect(Object.fromEntries(namedChecks(text as string))).toEqual(checks)
})

test.for([
  [`create table t (on_ integer not null default 1 check (on_ in (0, 1)))`, ['on_']],
  [`create table t (n int check (n is null or n in (1, 0)))`, ['n']],
  [`create table t (n int check (n in (0)), m int check (m in (0, 1, 2)))`, []],
  [`create table t (n text check (n in ('0', '1')), m int check (m in (0, -1)))`, []],
])('knows the columns of 0 and 1 in [%s]', ([text, names]) => {
  expect([...switchColumns(text as string)]).toEqual(names)
})
