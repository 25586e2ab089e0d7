/** The command as a person runs it: a process of its own, in a folder of its own. */

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMetadata } from '../src/database/metadata/metadata.ts'
import { runHere } from './run-here.ts'

const BIN = join(import.meta.dirname, '../bin/tablewire.js')

let folder: string
const running = new Set<ChildProcess>()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tablewire-cli-'))
  const db = new DatabaseSync(join(folder, 'shop.sqlite'))
  db.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, password_hash TEXT);
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY, number TEXT, total REAL,
      customer_id INTEGER REFERENCES customers (id), api_key TEXT
    );
    INSERT INTO customers VALUES (1, 'Ana', 'sesame');
    INSERT INTO orders VALUES (1, 'A-1', 12.5, 1, 'open');
  `)
  db.close()
})

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
  rmSync(folder, { recursive: true })
})

const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

type Outcome = { code: number | null; out: string; err: string }

/** Runs the command; resolves when it ends, or as soon as it says `until`, and then it runs on. */
function run(args: readonly string[], { until, env }: { until?: string; env?: object } = {}) {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  running.add(child)
  return new Promise<Outcome>((resolve) => {
    let [out, err] = ['', '']
    child.stdout.on('data', (text: Buffer) => {
      out += text.toString()
      if (until !== undefined && out.includes(until)) resolve({ code: null, out, err })
    })
    child.stderr.on('data', (text: Buffer) => void (err += text.toString()))
    child.on('exit', () => running.delete(child))
    child.on('close', (code) => resolve({ code, out, err }))
  })
}

/** Runs a command that ends, and that loads no configuration. */
const ended = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
  runHere({ args, folder, ...(env && { env }) })

/** Starts the server and says where it is. */
async function serve(args: readonly string[] = [], env?: object) {
  const { out, err } = await run([...args], { until: 'Sign in: ', ...(env && { env }) })
  expect(err).toBe('')
  return { out, origin: /Open: (\S+)/.exec(out)?.[1] ?? '' }
}

const CONFIG = `
import { defineAdmin, defineTable, rolePolicy, type Policy } from 'tablewire'

const policy: Policy = { version: 'shop', grant: (actor, table) => rolePolicy.grant(actor, table) }

export default defineAdmin({
  database: 'shop.sqlite',
  port: 0,
  data: 'records',
  policy,
  tables: {
    orders: defineTable({ columns: { api_key: { hidden: false } } }),
  },
})
`

describe('a configuration in the folder', () => {
  test('is what the command runs with', async () => {
    write('tablewire.config.ts', CONFIG)
    const { out, origin } = await serve()
    expect(out).toContain('Database: shop')
    expect(out).toContain('Hidden: customers.password_hash\n')
    expect(origin).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    expect((await fetch(`${origin}/healthz`)).status).toBe(200)
    expect(existsSync(join(folder, 'records/meta.sqlite'))).toBe(true)
  })

  test('is overruled by the environment, and that by flags', async () => {
    write('tablewire.config.ts', CONFIG)
    const env = { TABLEWIRE_DATA: 'elsewhere', HOST: '127.0.0.2' }
    const { origin } = await serve(['--host', 'localhost'], env)
    expect(origin).toMatch(/^http:\/\/localhost:\d+$/)
    expect(existsSync(join(folder, 'records'))).toBe(false)
    expect(existsSync(join(folder, 'elsewhere/meta.sqlite'))).toBe(true)
  })

  test('may be JavaScript, named, and elsewhere: its paths are seen from there', async () => {
    const plain = CONFIG.replace(', type Policy', '').replace(': Policy', '')
    write('admin.mjs', plain.replace("'records'", "'.'"))
    const { origin } = await serve(['--config', join(folder, 'admin.mjs')])
    expect(origin).toMatch(/^http/)
    expect(existsSync(join(folder, 'meta.sqlite'))).toBe(true)
  })

  test('with mistakes is refused with all of them, and nothing is made', async () => {
    write(
      'tablewire.config.ts',
      `export default {
        database: 'shop.sqlite', prot: 1, port: '80', url: 'admin', policy: {},
        tables: { ordrs: {}, orders: { columns: { totl: { lable: 'x' } } } },
      }`,
    )
    expect(await run([])).toEqual({
      code: 1,
      out: '',
      err: `tablewire.config.ts has 7 mistakes:
  prot: there is no such option. Did you mean [port]?
  port: expected a number from 0 to 65535, not [80].
  url: expected such as https://admin.example.org or https://example.org/db, not [admin].
  policy: expected an object with a version and a function grant(actor, table), not an object.
  tables.ordrs: there is no such table. Did you mean [orders]?
  tables.orders.columns.totl.lable: there is no such option. Did you mean [label]?
  tables.orders.columns.totl: there is no such column. Did you mean [total]?
`,
    })
    expect(existsSync(join(folder, '.tablewire'))).toBe(false)
  })

  test('that cannot name its database still tells what else is wrong', async () => {
    write('tablewire.config.ts', 'export default { database: 7, host: [] }')
    const { code, err } = await run([])
    expect(code).toBe(1)
    expect(err).toContain(
      '  database: expected a text, not [7].\n  host: expected a text, not a list.',
    )
    expect(err).toContain('  Name a database: ')
  })

  test('that cannot be read says why, and where', async () => {
    const cases: [string, RegExp][] = [
      ['export default {\n  a: = 1,\n}', /could not be loaded: .+ \(\d\.config\.ts:2\)\.$/],
      ['\nenum A { B }', /enum is not supported .*\(\d\.config\.ts:2\)/],
      ["\n\nthrow new Error('No password.')", /loaded: No password \(\d\.config\.ts:3:7\)\.$/],
      ["throw 'up'", /loaded: it throws \[up\]\./],
      ["import 'nowhere-to-be-found'", /Cannot find package 'nowhere-to-be-found'/],
      ["import 'tablewire/nothing'", /could not be loaded: .*nothing/],
      ['const a = 1', /has no default export. End it with: export default defineAdmin\(/],
      [
        'export default 7',
        /export default: expected an object, as defineAdmin makes it, not \[7\]\./,
      ],
    ]
    const outcomes = cases.map(async ([text, sentence], at) => {
      write(`${at}.config.ts`, text)
      const { code, out, err } = await run(['shop.sqlite', '--config', `${at}.config.ts`])
      expect([code, out, err.trim()]).toEqual([1, '', expect.stringMatching(sentence)])
      expect(err).not.toMatch(/\n\s+at |node:internal/)
    })
    await Promise.all(outcomes)
  })

  test('tells of a mistake in another file where it is', async () => {
    write('tablewire.config.ts', "import './orders.ts'\nexport default {}")
    write('orders.ts', 'const a: { b?: { c: 1 } } = {}\na.b!.c')
    const { err } = await run(['shop.sqlite'])
    expect(err).toMatch(
      /Cannot read properties of undefined \(reading 'c'\) \(orders\.ts:2:6\)\.$/m,
    )
  })

  test('that there are two of, or that is not there, is told', async () => {
    write('tablewire.config.ts', CONFIG)
    write('tablewire.config.mjs', 'export default {}')
    expect((await run([])).err).toContain(
      'There are tablewire.config.ts and tablewire.config.mjs. Say which one with --config.',
    )
    const { err } = await run(['--config', 'nope.ts'])
    expect(err).toBe('The configuration [nope.ts] does not exist.\n')
  })
})

describe('eject', () => {
  test('writes what the command then runs with, and the types of it', async () => {
    const { code, out, err } = await ended(['eject', 'shop.sqlite'])
    expect([code, out, err]).toEqual([
      0,
      'Written: tablewire.config.ts\nWritten: tablewire.schema.ts\n',
      '',
    ])
    expect(read('tablewire.config.ts')).toContain("  database: './shop.sqlite',\n")
    expect(read('tablewire.schema.ts')).toContain('customer_id: number | bigint | null\n')
    const server = await serve(['--port', '0'])
    expect(server.out).toContain('Hidden: customers.password_hash, orders.api_key\n')
  })

  test('declares what was corrected in the page, where a server has run on the data folder', async () => {
    const metadata = await openMetadata(join(folder, '.tablewire', 'meta.sqlite'))
    const database = join(realpathSync(folder), 'shop.sqlite')
    await metadata.corrections.edit(database, {
      ...{ id: 'one', at: 1, byId: 'ana', byName: 'Ana' },
      ...{ tableName: 'orders', columnName: null, part: 'label', value: '"Corrected orders"' },
    })
    await metadata.close()
    const { err } = await ended(['eject', 'shop.sqlite'])
    expect(err).toBe('')
    expect(read('tablewire.config.ts')).toContain("label: 'Corrected orders'")
  })

  test('overwrites nothing', async () => {
    const refusal = (file: string) => [
      1,
      '',
      `[${file}] is there already, and eject overwrites nothing. Name another file with --out.\n`,
    ]
    for (const file of ['tablewire.config.mjs', 'tablewire.schema.ts', 'mine.ts']) {
      write(file, 'mine')
      const { code, out, err } = await ended([
        'eject',
        'shop.sqlite',
        ...(file === 'mine.ts' ? ['--out', file] : []),
      ])
      expect([code, out, err]).toEqual(refusal(file))
      expect(read(file)).toBe('mine')
      rmSync(join(folder, file))
    }
    expect(existsSync(join(folder, 'tablewire.config.ts'))).toBe(false)
  })

  test('into JavaScript has no types', async () => {
    expect((await ended(['eject', 'shop.sqlite', '--out', 'admin.mjs'])).out).toBe(
      'Written: admin.mjs\n',
    )
    expect(read('admin.mjs')).not.toContain('Database')
    expect((await serve(['--config', 'admin.mjs', '--port', '0'])).out).toContain('Hidden: ')
  })

  test('leaves a database that the environment names out of the file', async () => {
    await ended(['eject'], { DATABASE_URL: 'shop.sqlite' })
    expect(read('tablewire.config.ts')).not.toContain('shop')
    expect(read('tablewire.config.ts')).toContain('The database comes from DATABASE_URL')
  })

  test('needs a database, and a place to write to', async () => {
    expect((await ended(['eject'])).err).toMatch(/^Name a database/)
    const { code, err } = await ended(['eject', 'shop.sqlite', '--out', 'no/where.ts'])
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^\[no\/where\.ts\] cannot be written: /),
    ])
  })
})

describe('types', () => {
  test('follow the database of the configuration, over what they wrote themselves alone', async () => {
    await ended(['eject', 'shop.sqlite'])
    const db = new DatabaseSync(join(folder, 'shop.sqlite'))
    db.exec('PRAGMA foreign_keys = OFF; ALTER TABLE orders ADD paid_on TEXT; DROP TABLE customers')
    db.close()
    expect((await run(['types'])).out).toBe('Written: tablewire.schema.ts\n')
    expect(read('tablewire.schema.ts')).toContain('paid_on: string | null')
    expect(read('tablewire.schema.ts')).not.toContain('customers')
    const { code, err } = await run(['--port', '0'])
    expect(code).toBe(1)
    expect(err).toMatch(
      /^tablewire\.config\.ts has 2 mistakes:\n {2}tables\.customers: there is no such table\./,
    )
    expect(err).toContain('customer_id.kind: only a foreign key')
    write('tablewire.schema.ts', 'mine')
    expect((await run(['types'])).err).toMatch(/^\[tablewire\.schema\.ts\] was not written by/)
    expect(read('tablewire.schema.ts')).toBe('mine')
  })
})

test('a port, an address or a folder that cannot be is told in a sentence, and the command ends', async () => {
  const wrong = [
    [ended, '--port', 'x'],
    [ended, '--url', 'x'],
    [ended, '--data', 'a/b/c'],
    // The latest that can be noticed, with everything open.
    [run, '--host', '192.0.2.1'],
  ] as const
  for (const [how, ...args] of wrong) {
    const { code, err } = await how(['shop.sqlite', '--port', '0', ...args])
    expect([code, err]).toEqual([1, expect.stringMatching(/^[A-Z].*\.\n$/)])
  }
})

test('settings of live events that cannot be are told in a sentence, without a secret in it', async () => {
  for (const [env, words] of [
    [{ PUSHER_KEY: 'a-key', PUSHER_SECRET: 'hush' }, 'PUSHER_APP_ID is missing: '],
    [{ TABLEWIRE_BUS: 'postgres://a:hush@b:99999/c' }, 'TABLEWIRE_BUS: '],
    [{ REDIS_URL: 'http://:hush@cache.example.org' }, 'REDIS_URL is not an address like redis://'],
  ] as const) {
    const { code, err } = await ended(['shop.sqlite', '--port', '0'], env)
    expect([code, err]).toEqual([1, expect.stringMatching(/^[A-Z].*\.\n$/)])
    expect(err).toContain(words)
    expect(err).not.toContain('hush')
  }
})
