import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { loadSecret } from './secret.ts'

const folder = () => mkdtempSync(join(tmpdir(), 'tablewire-secret-'))
const words = 'a long sentence that nobody would guess'

describe('from the environment', () => {
  test.each([words, 'e3'.repeat(16) + '0123456789abcdef', 'kJ2n-_x8'.repeat(6)])(
    'takes %s, and makes no file',
    async (TABLEWIRE_SECRET) => {
      const data = folder()
      const secret = await loadSecret(data, { TABLEWIRE_SECRET })
      expect(secret.byteLength).toBe(32)
      expect(await loadSecret(data, { TABLEWIRE_SECRET: `${TABLEWIRE_SECRET}\n` })).toEqual(secret)
      expect(readdirSync(data)).toEqual([])
    },
  )

  test('gives different secrets for different texts', async () => {
    const [a, b] = await Promise.all(
      [words, `${words}.`].map((TABLEWIRE_SECRET) => loadSecret('', { TABLEWIRE_SECRET })),
    )
    expect(a).not.toEqual(b)
  })

  test.each(['', 'changeme', 'x'.repeat(31), ` ${'y'.repeat(31)} `])(
    'refuses %j as too short',
    async (TABLEWIRE_SECRET) => {
      await expect(loadSecret(folder(), { TABLEWIRE_SECRET })).rejects.toThrow(
        'TABLEWIRE_SECRET is too short: it needs 32 bytes or more',
      )
    },
  )

  test('refuses one that repeats few characters', async () => {
    const TABLEWIRE_SECRET = 'secret'.repeat(10)
    await expect(loadSecret(folder(), { TABLEWIRE_SECRET })).rejects.toThrow('repeats too few')
  })
})

describe('from the file', () => {
  test('is made once, for its owner alone', async () => {
    const data = join(folder(), 'deep', 'data')
    const secret = await loadSecret(data, {})
    expect(readdirSync(data)).toEqual(['secret'])
    expect(statSync(join(data, 'secret')).mode & 0o777).toBe(0o600)
    expect(statSync(data).mode & 0o777).toBe(0o700)
    expect(await loadSecret(data, {})).toEqual(secret)
  })

  test('may move into the environment', async () => {
    const data = folder()
    const secret = await loadSecret(data, {})
    const TABLEWIRE_SECRET = readFileSync(join(data, 'secret'), 'utf8')
    expect(await loadSecret('', { TABLEWIRE_SECRET })).toEqual(secret)
  })

  test.each([0o640, 0o604, 0o660])(
    'is refused with mode %o, and says how to mend it',
    async (mode) => {
      const data = folder()
      const secret = await loadSecret(data, {})
      const file = join(data, 'secret')
      chmodSync(file, mode)
      await expect(loadSecret(data, {})).rejects.toThrow(`run “chmod 600 ${file}”`)
      chmodSync(file, 0o600)
      expect(await loadSecret(data, {})).toEqual(secret)
    },
  )

  test('is refused when it was cut short', async () => {
    const data = folder()
    writeFileSync(join(data, 'secret'), 'oops', { mode: 0o600 })
    await expect(loadSecret(data, {})).rejects.toThrow(`${join(data, 'secret')} is too short`)
  })

  test('is the same for many that start together, in one process and in several', async () => {
    const data = folder()
    const module = JSON.stringify(new URL('./secret.ts', import.meta.url).href)
    const script = `
      const { loadSecret } = await import(${module})
      const secrets = await Promise.all(
        Array.from({ length: 20 }, () => loadSecret(${JSON.stringify(data)}, {})))
      for (const secret of secrets) console.log(Buffer.from(secret).toString('hex'))`
    const start = () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
    const answers = await Promise.all(Array.from({ length: 4 }, start))
    const secrets = answers.flatMap(({ stdout }) => stdout.trim().split('\n'))
    expect(secrets).toHaveLength(80)
    expect(new Set(secrets).size).toBe(1)
    expect(readdirSync(data)).toEqual(['secret'])
  })
})
