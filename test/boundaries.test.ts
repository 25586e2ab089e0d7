import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assertionsOf, baseless } from './assertion-rule.ts'
import { strayCopy } from './copy-rules.ts'
import { impatient } from './page-assertion-rule.ts'
import {
  cycles,
  defaultExports,
  importsOf,
  type SourceFile,
  strayAddresses,
  strayIndexes,
  strayPowers,
  straySql,
  wrongDoors,
  wrongFolders,
  wrongHeads,
  wrongPackages,
} from './source-rules.ts'

const root = join(import.meta.dirname, '../src')
const files: readonly SourceFile[] = globSync('**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !/\.test\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const file = (path: string, text: string): SourceFile => ({ path, text })

/** A rule, the files that must break it, and those that must not. */
const RULES: [string, (file: SourceFile) => string[], SourceFile[], SourceFile[]][] = [
  [
    'imports run downwards only',
    wrongFolders,
    [
      file('protocol/a.ts', "import { b } from '../server/b.ts'"),
      file('server/a.ts', "import type { B } from '../table/b.ts'"),
      file('server/a/b.ts', "import {\n  b,\n  c,\n} from '../../client/b.ts'"),
      file('table/a.ts', "export * from '../database/b.ts'"),
      file('database/a.ts', "import { b } from '../admin/b.ts'"),
      file('database/a.ts', "import { b } from '../jobs/b.ts'"),
      file('client/a.ts', "import { b } from '../react/b.ts'"),
      file('client/a.ts', "import { b } from '../server/b.ts'"),
      file('ui/a.tsx', "import '../table/b.css'"),
      file('ui/a.tsx', "const b = await import('../admin/b.ts')"),
      file('messages/a.ts', "import type { B } from '../protocol/b.ts'"),
      file('admin/a.ts', "import * as all from '../cli/b.ts'"),
      file('unheard-of/a.ts', "import { b } from '../protocol/b.ts'"),
    ],
    [
      file('cli/a.ts', "import { b } from '../admin/b.ts'"),
      file('ui/a/b.tsx', "import { b } from '../../react/b.ts'\nimport '../b.css'"),
      file('table/a.ts', "// import { b } from '../database/b.ts'\nimport { c } from './c.ts'"),
    ],
  ],
  [
    'each folder uses its own packages',
    wrongPackages,
    [
      file('server/a.ts', "import { useState } from 'react'"),
      file('server/a.ts', "import type { ReactNode } from 'react'"),
      file('server/a.ts', "import { renderToString } from 'react-dom/server'"),
      file('client/a.ts', "import * as v from 'valibot'"),
      file('client/a.ts', "import { join } from 'node:path'"),
      file('protocol/a.ts', "import 'node:buffer'"),
      file('table/a.ts', "import { sql } from 'kysely'"),
      file('ui/a.tsx', "import debounce from 'lodash/debounce'"),
    ],
    [
      file('server/a.ts', "import compress from '@fastify/compress'"),
      file('ui/a.tsx', "import { hydrateRoot } from 'react-dom/client'"),
    ],
  ],
  [
    'only the doors are called index',
    strayIndexes,
    [file('table/index.ts', ''), file('ui/parts/index.tsx', '')],
    [file('exports/index.ts', ''), file('table/indexes.ts', '')],
  ],
  [
    'nothing is exported as the default',
    defaultExports,
    [file('a/b.ts', 'export default 1'), file('a/b.ts', 'export { b as default }')],
    [file('a/b.ts', '/** export default */\nexport const b = 1')],
  ],
  [
    'every file says in one sentence what it is for',
    wrongHeads,
    [
      file('a/b.ts', "import 'x'\n/** Too late. */"),
      file('a/b.ts', '/** No full stop */'),
      file('a/b.ts', '/** One sentence. And another one. */'),
      file('a/b.ts', '// Of the wrong kind.'),
      file('a/b.ts', ''),
    ],
    [
      file('a/b.ts', '/** One sentence, such as this. */'),
      file('a/b.ts', '/**\n * One sentence\n * in two lines.\n */'),
    ],
  ],
  [
    'SQL is written in the database folder only',
    straySql,
    [
      file('table/a.ts', 'const text = `select ${a} from ${b}`'),
      file('admin/a.ts', "run('DELETE FROM users')"),
      file('server/a.ts', "run('create table users (id)')"),
      file('cli/a.ts', "run('pragma user_version')"),
    ],
    [
      file('database/a.ts', "run('delete from users')"),
      file('table/a.ts', '/** What to select from where. */\nconst selected = 1'),
    ],
  ],
  [
    'addresses are made in one place, with their prefix',
    strayAddresses,
    [
      file('ui/a.tsx', '<a href="/account">'),
      file('admin/a.ts', "app.get('/tables/:table', list)"),
      file('client/a.ts', 'load(`/tables/${name}`)'),
    ],
    [
      file('admin/addresses.ts', 'const signIn = `${base}/sign-in`'),
      file('ui/a.tsx', "useKeys({ '/': search }) // as in '/account'"),
    ],
  ],
  [
    'each power has its owner',
    strayPowers,
    [
      file('client/sender.ts', "fetch('/')"),
      file('ui/a.tsx', "await fetch('/')"),
      file('ui/a.tsx', 'useSyncExternalStore(a, b)'),
      file('client/listening.ts', "import Pusher from 'pusher-js'"),
      file('react/a.ts', 'const socket = new WebSocket(address)'),
      file('admin/a.ts', "import { timingSafeEqual } from 'node:crypto'"),
      file('admin/a.ts', 'app.post(addresses.signIn, handler)'),
      file('server/a.ts', "part.route({ method: 'PATCH', url, handler })"),
    ],
    [
      file('client/transport.ts', "fetch('/')"),
      file('client/push.ts', "import Pusher from 'pusher-js'"),
      file('ui/a.tsx', 'prefetch(1) // fetch() is for others'),
    ],
  ],
  [
    'words for people stand in the catalogues only',
    strayCopy,
    [
      file('table/a.ts', "throw new AppError('NOT_FOUND', { detail: () => 'It is gone.' })"),
      file(
        'table/a.ts',
        "const bad = () => new AppError('X', { detail: () => `[${a}] is gone.` })",
      ),
      file('server/a.ts', "effects.error('', 'Please try again.')"),
      file('admin/a.ts', "const title = 'Sign in'"),
      file('admin/a.ts', 'const device = `${browser} on ${system}`'),
      file('ui/a.tsx', 'const a = <p>Rows</p>'),
      file('ui/a.tsx', 'const a = <input aria-label="Search" />'),
    ],
    [
      file('messages/a.ts', "export const a = 'It is gone.'"),
      file('cli/a.ts', "say('It is gone.')"),
      file('table/a.ts', "throw new TypeError('It needs a name.')"),
      file('server/a.ts', "log('It is gone.', error)"),
      file('database/a.ts', 'const a = sql`${b} and ${c}`'),
      file('ui/a.tsx', 'const a = <kbd>Esc</kbd>'),
      file('ui/a.tsx', 'const a = <b className="btn line">{list.rows}</b>'),
      file('ui/a.tsx', "// It is gone.\nconst a = 'grid-template-rows: auto'"),
    ],
  ],
  [
    'each type assertion has its reason beside it',
    baseless,
    [
      file('server/a.ts', 'const a = b as string'),
      file('server/a.ts', '/** A text. */\nconst a = b as string'),
      file('server/a.ts', '// A text.\nconst b = c\nconst a = b as string'),
      file('server/a.ts', 'const a = b // A text.\nconst c = d as string'),
      file('server/a.ts', 'const a = list[0]!'),
      file('server/a.ts', 'let a!: string'),
      file('server/a.ts', 'const a = <string>b'),
      file('server/a.ts', '// A list.\nconst a = {\n  b: 1,\n  c: d as string,\n}'),
      file('ui/a.tsx', 'const a = <p title={b as string} />'),
    ],
    [
      file('server/a.ts', 'const a = b as string // A text, as its schema says.'),
      file('server/a.ts', '// A text, as its schema says.\nconst a = b as string'),
      file('server/a.ts', '// A text,\n// as its schema says.\nconst a = b as unknown as string'),
      file('server/a.ts', '// A text.\nconst a = await call(\n  b as string,\n)'),
      file('server/a.ts', 'const a = {\n  b: 1,\n  // A text.\n  c: d as string,\n}'),
      file('server/a.ts', 'const a = list[0]! // Not empty.'),
      file('server/a.ts', "import { a as b } from './a.ts'\nconst c = [b] as const"),
      file('server/a.ts', 'const a = !b && b !== c'),
    ],
  ],
  [
    'the doors hold nothing but re-exports',
    wrongDoors,
    [
      file('exports/a.ts', "export { b } from '../b.ts'\nexport const c = 1"),
      file('exports/a.ts', "import { b } from '../b.ts'\nconsole.log(b)"),
    ],
    [
      file('exports/a.ts', "/** A door. */\nexport { type A, b } from '../b.ts'"),
      file('exports/a.ts', "export * as c from '../c.ts'\nexport type { D } from '../d.ts'"),
    ],
  ],
]

describe.each(RULES)('%s', (_, rule, wrong, right) => {
  test('in the source', () => expect(files.flatMap(rule)).toEqual([]))

  test('and the rule sees it broken', () => {
    for (const one of wrong) expect(rule(one), one.text).toHaveLength(1)
    for (const one of right) expect(rule(one), one.text).toEqual([])
  })
})

describe('an assertion on a page waits for what it expects', () => {
  const folder = join(import.meta.dirname, 'e2e')
  const tests = globSync('*.ts', { cwd: folder }).map((path) =>
    file(path, readFileSync(join(folder, path), 'utf8')),
  )

  test('in the tests', () => expect(tests.flatMap(impatient)).toEqual([]))

  test('and the rule sees it broken', () => {
    for (const text of [
      'expect(await rows.count()).toBe(1)',
      'expect((await rows.allTextContents()).length, id).toBe(1)',
      'expect([await a.inputValue(), 1]).toEqual([1, 1])',
      'expect(await page.evaluate(() => scrollY)).not.toBe(0)',
      'const rows = () => page.locator("tr").count()\nexpect(await rows()).toBe(1)',
      'expect(await keysOn(page)).toEqual([])',
    ])
      expect(impatient(file('a.test.ts', text)), text).toHaveLength(1)
    for (const text of [
      'await expect.poll(() => rows.count()).toBe(1)',
      'await expect.poll(async () => [await a.inputValue(), 1]).toEqual([1, 1])',
      'const atOnce = await rows.count()\nexpect(atOnce).toBe(1)',
      'expect(await response.json()).toEqual({})',
      'await expect.poll(async () => expect(await read()).toBe(1))',
    ])
      expect(impatient(file('a.test.ts', text)), text).toEqual([])
  })
})

describe('no files import one another in a ring', () => {
  test('in the source', () => expect(cycles(files)).toEqual([]))

  test('and the rule sees it broken', () => {
    const a = file('x/a.ts', "import { b } from './b.ts'")
    const b = file('x/b.ts', "export { c } from './c/c.ts'")
    expect(cycles([a, b, file('x/c/c.ts', "import { type A, a } from '../a.ts'")])).toEqual([
      'x/a.ts → x/b.ts → x/c/c.ts → x/a.ts',
    ])
    expect(cycles([a, b, file('x/c/c.ts', "import type { A } from '../a.ts'")])).toEqual([])
    expect(cycles([file('x/a.ts', "import './a.ts'")])).toEqual(['x/a.ts → x/a.ts'])
  })
})

test('the rules look at every import that there is', () => {
  const all = files.flatMap(importsOf)
  const written = files.flatMap(
    ({ text }) => text.match(/^(?:import|export|\}).*\bfrom '[^']+'$|^import '[^']+'$/gm) ?? [],
  )
  expect(files.length).toBeGreaterThan(100)
  expect(all.length).toBeGreaterThanOrEqual(written.length)
})

test('type assertions stay few', () => {
  const all = files.flatMap(assertionsOf)
  expect(all.filter(({ what }) => what === 'as').length).toBeLessThan(65)
  expect(all.filter(({ what }) => what === '!').length).toBeLessThan(40)
})
