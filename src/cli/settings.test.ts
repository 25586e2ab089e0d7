import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { readFileUrl } from './open-database.ts'
import { readSettings, SettingsError } from './settings.ts'

const read = (args: string[], env: NodeJS.ProcessEnv = {}) => {
  const parsed = readSettings(['a.db', ...args], env)
  if (parsed.kind !== 'run') throw new Error(parsed.kind)
  return parsed.settings
}

describe('where browsers reach it', () => {
  test('is a flag, else from the environment, else not said', () => {
    const env = { TABLEWIRE_URL: 'https://env.example.org', TRUST_PROXY: '1' }
    expect(read([])).not.toHaveProperty('url')
    expect(read([])).not.toHaveProperty('trustProxy')
    expect(read([], env)).toMatchObject({ url: 'https://env.example.org', trustProxy: 1 })
    const flags = ['--url', 'https://admin.example.org/', '--trust-proxy', '10.0.0.0/8, ::1']
    expect(read(flags, env)).toMatchObject({
      url: 'https://admin.example.org',
      trustProxy: '10.0.0.0/8,::1',
    })
  })

  test.each([
    'admin.example.org',
    'ftp://a',
    'https://a/path',
    'https://u:p@a',
    'x',
    'https://a?b',
  ])('is not %s', (url) => expect(() => read(['--url', url])).toThrow(SettingsError))

  test.each(['0', '-1', 'true', '10.0.0.0/33', 'proxy', '1.2.3.4,', '1.2.3.4/8/8', '100'])(
    'through proxies is not %s',
    (which) => expect(() => read([`--trust-proxy=${which}`])).toThrow(SettingsError),
  )
})

test.each([
  ['file:./dev.db', './dev.db'],
  ['file:dev.db', 'dev.db'],
  ['file:../a b.db', '../a b.db'],
  ['file:/tmp/dev.db', '/tmp/dev.db'],
  [pathToFileURL('/tmp/a b.db').href, '/tmp/a b.db'],
])('%s is %s', (text, path) => expect(readFileUrl(text)).toBe(path))
