import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { AdminConfig } from '../admin/compose/define-admin.ts'
import { readFileUrl } from '../database/engines.ts'
import { readCommand, readDataFolder, readSettings, SettingsError } from './settings.ts'

const read = (args: string[], env: NodeJS.ProcessEnv = {}, config?: AdminConfig) =>
  readSettings(readCommand(['a.db', ...args]), env, config)

describe('where browsers reach it', () => {
  test('is a flag, else from the environment, else not said', () => {
    const env = { TABLEWIRE_URL: 'https://env.example.org', TRUST_PROXY: '1' }
    expect(read([])).not.toHaveProperty('url')
    expect(read([])).not.toHaveProperty('trustProxy')
    expect(read([], env)).toMatchObject({
      url: { origin: 'https://env.example.org', prefix: '' },
      trustProxy: 1,
    })
    const flags = ['--url', 'https://admin.example.org/', '--trust-proxy', '10.0.0.0/8, ::1']
    expect(read(flags, env)).toMatchObject({
      url: { origin: 'https://admin.example.org', prefix: '' },
      trustProxy: '10.0.0.0/8,::1',
    })
  })

  test.each(['https://example.org/db', 'https://example.org/db/'])(
    'may be under a path: %s',
    (url) =>
      expect(read(['--url', url])).toMatchObject({
        url: { origin: 'https://example.org', prefix: '/db' },
      }),
  )

  test.each([
    'admin.example.org',
    'ftp://a',
    'https://a/pa th',
    'https://a//path',
    'https://a/path#c',
    'https://u:p@a',
    'x',
    'https://a?b',
  ])('is not %s', (url) => expect(() => read(['--url', url])).toThrow(SettingsError))

  test.each(['0', '-1', 'true', '10.0.0.0/33', 'proxy', '1.2.3.4,', '1.2.3.4/8/8', '100'])(
    'through proxies is not %s',
    (which) => expect(() => read([`--trust-proxy=${which}`])).toThrow(SettingsError),
  )
})

describe('a sign-in link', () => {
  const link = (args: string[]) => readCommand([...args, '--sign-in-link'])

  test('may be asked for without a database, for a server that runs on the folder', () => {
    expect(readDataFolder(link(['--data', 'x']), { TABLEWIRE_DATA: 'y' })).toBe('x')
    expect(readDataFolder(link([]), { TABLEWIRE_DATA: 'y' })).toBe('y')
    expect(() => readSettings(link([]), {})).toThrow(/No Tablewire runs on .*\[\.tablewire\]/)
  })

  test('with a database comes with what to start otherwise', () => {
    expect(readSettings(link(['a.db']), {})).toMatchObject({ database: 'a.db', signInLink: true })
  })
})

test.each([
  ['file:./dev.db', './dev.db'],
  ['file:dev.db', 'dev.db'],
  ['file:../a b.db', '../a b.db'],
  ['file:/tmp/dev.db', '/tmp/dev.db'],
  [pathToFileURL('/tmp/a b.db').href, '/tmp/a b.db'],
])('%s is %s', (text, path) => expect(readFileUrl(text)).toBe(path))

describe('a setting', () => {
  const config = {
    database: 'config.db',
    host: '10.0.0.1',
    port: 1,
    data: '/config',
    url: 'https://config.example.org',
    trustProxy: 1,
  }
  const fromConfig = {
    database: 'config.db',
    host: '10.0.0.1',
    port: 1,
    dataFolder: '/config',
    url: { origin: 'https://config.example.org', prefix: '' },
    trustProxy: 1,
    signInLink: false,
  }
  const env = {
    DATABASE_URL: 'env.db',
    HOST: '10.0.0.2',
    PORT: '2',
    TABLEWIRE_DATA: '/env',
    TABLEWIRE_URL: 'https://env.example.org',
    TRUST_PROXY: '2',
  }
  const fromEnv = {
    database: 'env.db',
    host: '10.0.0.2',
    port: 2,
    dataFolder: '/env',
    url: { origin: 'https://env.example.org', prefix: '' },
    trustProxy: 2,
  }
  const flags = [
    ...['--host', '10.0.0.3', '--port', '3', '--data', '/flag', '--url'],
    ...['https://flag.example.org', '--trust-proxy', '3'],
  ]
  const fromFlags = {
    host: '10.0.0.3',
    port: 3,
    dataFolder: '/flag',
    url: { origin: 'https://flag.example.org', prefix: '' },
    trustProxy: 3,
  }
  const settings = (args: string[], env: NodeJS.ProcessEnv, config?: AdminConfig) =>
    readSettings(readCommand(args), env, config)

  test('is a flag, else from the environment, else from the configuration, else the default', () => {
    expect(settings([], {}, config)).toEqual(fromConfig)
    expect(settings([], env, config)).toMatchObject(fromEnv)
    expect(settings(flags, env, config)).toMatchObject({ ...fromFlags, database: 'env.db' })
    expect(settings(['flag.db'], env, config)).toMatchObject({ database: 'flag.db' })
    expect(settings(['--database', 'flag.db'], env, config).database).toBe('flag.db')
    expect(settings(['a.db'], {})).toEqual({
      database: 'a.db',
      host: '127.0.0.1',
      port: 4600,
      dataFolder: '.tablewire',
      signInLink: false,
    })
  })

  test('to take changes is a flag, else from the environment, else from the configuration', () => {
    const write = (args: string[], env: NodeJS.ProcessEnv = {}, config = {}) =>
      settings(['a.db', ...args], env, config).write
    expect(settings(['a.db'], {})).not.toHaveProperty('write')
    expect(write(['--write'], { TABLEWIRE_WRITE: 'false' }, { write: false })).toBe(true)
    expect(write([], { TABLEWIRE_WRITE: 'true' }, { write: false })).toBe(true)
    expect(write([], { TABLEWIRE_WRITE: '1' })).toBe(true)
    expect(write([], { TABLEWIRE_WRITE: 'false' }, { write: true })).toBe(false)
    expect(write([], { TABLEWIRE_WRITE: '0' }, { write: true })).toBe(false)
    expect(write([], { TABLEWIRE_WRITE: '' }, { write: true })).toBe(true)
    expect(write([], {}, { write: false })).toBe(false)
  })

  test.each(['yes', 'TRUE', 'on', 'toString'])('to take changes is not %s', (text) =>
    expect(() => settings(['a.db'], { TABLEWIRE_WRITE: text })).toThrow(
      `TABLEWIRE_WRITE is [${text}]; it must be true or false.`,
    ),
  )

  test('how long the history is kept is a number of days', () => {
    const days = (args: string[], env: NodeJS.ProcessEnv = {}, config = {}) =>
      settings(['a.db', ...args], env, config).historyDays
    expect(settings(['a.db'], {})).not.toHaveProperty('historyDays')
    expect(days(['--history-days', '7'], { TABLEWIRE_HISTORY_DAYS: '8' })).toBe(7)
    expect(days([], { TABLEWIRE_HISTORY_DAYS: '8' }, { historyDays: 9 })).toBe(8)
    expect(days([], { TABLEWIRE_HISTORY_DAYS: '' }, { historyDays: 9 })).toBe(9)
    for (const wrong of ['0', '-1', '1.5', 'a week', '100000'])
      expect(() => days([`--history-days=${wrong}`])).toThrow(
        `The history cannot be kept for [${wrong}] days: name 1 to 99999.`,
      )
  })

  test('that is 0 is not one that is missing', () => {
    expect(settings([], { PORT: '0' }, config).port).toBe(0)
    expect(settings([], {}, { ...config, port: 0 }).port).toBe(0)
  })
})

describe('a command', () => {
  test.each<[string[], object]>([
    [[], { name: 'serve', database: undefined }],
    [['a.db'], { name: 'serve', database: 'a.db' }],
    [['eject'], { name: 'eject', database: undefined }],
    [['eject', 'a.db', '--out', 'x.ts'], { name: 'eject', database: 'a.db' }],
    [['--database', 'a.db', 'types'], { name: 'types', database: 'a.db' }],
    [['triggers'], { name: 'triggers' }],
    [['./eject'], { name: 'serve', database: './eject' }],
    [['build', '--out', 'x'], { name: 'build', flags: { out: 'x' } }],
    [['dev', 'a.db', '--port', '0'], { name: 'dev', database: 'a.db', flags: { port: '0' } }],
    [['eject', '--help'], { name: 'help' }],
    [['-h'], { name: 'help' }],
    [['--version', 'x'], { name: 'version' }],
  ])('is read from %j', (args, command) => expect(readCommand(args)).toMatchObject(command))

  test.each<[string[], RegExp]>([
    [['a.db', 'b.db'], /Name one database, not 2/],
    [['types', 'a.db', 'b.db'], /Name one database, not 2/],
    [['a.db', '--out', 'x'], /--out says what eject and types write/],
    [['dev', '--out', 'x'], /--out says what eject and types write/],
    [['build', 'a.db'], /needs no database/],
    [['triggers', 'a.db'], /the same for each database/],
    [['--nope'], /--nope.*tablewire --help/],
    [['--port'], /--port.*tablewire --help/],
  ])('is not %j', (args, sentence) => expect(() => readCommand(args)).toThrow(sentence))

  test('needs a database', () => {
    expect(() => readSettings(readCommand([]), {})).toThrow(/Name a database: .*tablewire\.config/)
  })
})
