import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { Passwords } from './passwords.ts'

const MINUTE = 60_000
const ROUNDS = 200
const origin = { address: '127.0.0.1', userAgent: '' }
const ana = { name: 'Ana', email: 'ana@example.org', password: 'correct horse battery' }
const bo = { ...ana, name: 'Bo', email: 'bo@example.org' }
const spent = { code: 'LINK_SPENT' }

let now: number
let metadata: Metadata
let accounts: Accounts

/** Another process of the same installation, as far as the database can tell. */
const another = () =>
  createAccounts({
    metadata,
    now: () => now,
    randomBytes,
    passwords: new Passwords({ randomBytes, cost: { memory: 8, passes: 1, parallelism: 1 } }),
  })

const refused = (tries: readonly Promise<unknown>[]) =>
  Promise.allSettled(tries).then((results) =>
    results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : [])),
  )

beforeEach(async () => {
  now = 1_700_000_000_000
  metadata = await openMetadata(':memory:', { now: () => now })
  accounts = another()
})

describe('a link for the first administrator', () => {
  test('says so, and makes one', async () => {
    expect(await accounts.needsAdministrator()).toBe(true)
    const token = await accounts.issueLink({ role: 'admin' })
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(await accounts.inspectLink(token)).toEqual({
      role: 'admin',
      person: null,
      newAdministrator: true,
      setsPassword: false,
      expiresAt: now + 60 * MINUTE,
    })
    const { actor, token: session } = await accounts.redeemLink(token, ana, origin)
    expect(actor).toMatchObject({ name: 'Ana', email: 'ana@example.org', role: 'admin' })
    expect(await accounts.authenticate(session)).toMatchObject({ actor })
    expect(await accounts.needsAdministrator()).toBe(false)
    expect(await accounts.administrator()).toMatchObject({ id: actor.id })
  })

  test('is refused when there is one meanwhile, and none is issued any more', async () => {
    const tokens = [
      await accounts.issueLink({ role: 'admin' }),
      await accounts.issueLink({ role: 'admin' }),
    ]
    await accounts.redeemLink(tokens[0]!, ana, origin)
    expect(await accounts.inspectLink(tokens[1]!)).toBeUndefined()
    await expect(accounts.redeemLink(tokens[1]!, bo, origin)).rejects.toMatchObject(spent)
    await expect(accounts.issueLink({ role: 'admin' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  test('makes one only, when fifty links for one are redeemed at once', async () => {
    const tokens = await Promise.all(
      Array.from({ length: 50 }, () => accounts.issueLink({ role: 'admin' })),
    )
    const codes = await refused(
      tokens.map((token, i) =>
        another().redeemLink(token, { ...ana, email: `${i}@example.org` }, origin),
      ),
    )
    expect(codes).toEqual(Array(49).fill('LINK_SPENT'))
  })
})

describe('any link', () => {
  test(`is redeemed by one of fifty, in ${ROUNDS} rounds`, async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const token = await accounts.issueLink({ role: 'editor' })
      const elsewhere = another()
      const codes = await refused(
        Array.from({ length: 50 }, (_, i) => {
          const entry = { ...ana, email: `${round}-${i}@example.org` }
          return (i % 2 ? accounts : elsewhere).redeemLink(token, entry, origin)
        }),
      )
      expect(codes).toEqual(Array(49).fill('LINK_SPENT'))
    }
  })

  test('is redeemed by one of several processes', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'tablewire-links-')), 'meta.sqlite')
    metadata = await openMetadata(file, { now: Date.now })
    now = Date.now()
    const links = await Promise.all(
      Array.from({ length: 10 }, () => another().issueLink({ role: 'viewer' })),
    )
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((name) => redeemElsewhere(file, links, name)),
    )
    const won = outcomes.flat().filter((outcome) => outcome.startsWith('won'))
    expect(won.sort()).toEqual(links.map((link) => `won ${link}`).sort())
    await metadata.close()
  })

  test('is left as it was by an entry that is refused', async () => {
    const token = await accounts.issueLink({ role: 'admin' })
    const redeem = (more: object) => accounts.redeemLink(token, { ...ana, ...more }, origin)
    await expect(redeem({ password: 'short' })).rejects.toMatchObject({
      code: 'PASSWORD_TOO_SHORT',
    })
    for (const email of ['', 'ana', 'a b@example.org', 'a@b@c', 'ana@exam\u200bple.org', '@', 'a@'])
      await expect(redeem({ email })).rejects.toMatchObject({ code: 'EMAIL_INVALID' })
    for (const name of ['x'.repeat(201), 'Ana\u202egpj'])
      await expect(redeem({ name })).rejects.toMatchObject({ code: 'NAME_INVALID' })
    await expect(accounts.redeemLink(token, null, origin)).rejects.toThrow()
    expect(await accounts.inspectLink(token)).toBeDefined()
    expect((await redeem({ name: '  ', email: ' Ana@localhost ' })).actor).toMatchObject({
      name: 'Ana',
      email: 'Ana@localhost',
    })
  })

  test('is left as it was when the address is taken', async () => {
    await accounts.redeemLink(await accounts.issueLink({ role: 'admin' }), ana, origin)
    const token = await accounts.issueLink({ role: 'viewer' })
    const twin = { ...ana, email: 'ANA@example.org' }
    await expect(accounts.redeemLink(token, twin, origin)).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    })
    expect((await accounts.redeemLink(token, bo, origin)).actor.role).toBe('viewer')
  })

  test('is good for sixty minutes, and looking at it changes nothing', async () => {
    const token = await accounts.issueLink({ role: 'viewer' })
    now += 60 * MINUTE - 1
    for (let i = 0; i < 3; i += 1) expect(await accounts.inspectLink(token)).toBeDefined()
    now += 1
    expect(await accounts.inspectLink(token)).toBeUndefined()
    await expect(accounts.redeemLink(token, ana, origin)).rejects.toMatchObject(spent)
  })

  test.each(['', 'x', 'x'.repeat(43)])('is not %j', async (token) => {
    expect(await accounts.inspectLink(token)).toBeUndefined()
    await expect(accounts.redeemLink(token, ana, origin)).rejects.toMatchObject(spent)
  })
})

describe('a link for a person there is', () => {
  const link = async () => {
    const { actor } = await accounts.redeemLink(
      await accounts.issueLink({ role: 'admin' }),
      ana,
      origin,
    )
    return { actor, token: await accounts.issueLink({ role: 'admin', userId: actor.id }) }
  }

  test('says whom it is for, and signs them in once among fifty', async () => {
    const { actor, token } = await link()
    expect(await accounts.inspectLink(token)).toMatchObject({
      person: { id: actor.id, name: 'Ana', email: 'ana@example.org' },
      newAdministrator: false,
    })
    const codes = await refused(
      Array.from({ length: 50 }, () => another().redeemLink(token, null, origin)),
    )
    expect(codes).toEqual(Array(49).fill('LINK_SPENT'))
    expect(await accounts.sessions(actor.id)).toHaveLength(2)
  })

  test('takes no entry, and is not spent by one', async () => {
    const { actor, token } = await link()
    await expect(accounts.redeemLink(token, bo, origin)).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
    })
    expect((await accounts.redeemLink(token, null, origin)).actor).toEqual(actor)
  })

  test('is void once they are disabled', async () => {
    const { actor, token } = await link()
    await metadata.users.update(actor.id, { disabledAt: now })
    expect(await accounts.inspectLink(token)).toBeUndefined()
    await expect(accounts.redeemLink(token, null, origin)).rejects.toMatchObject(spent)
  })
})

async function redeemElsewhere(file: string, links: readonly string[], name: string) {
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const script = `
    import { randomBytes } from 'node:crypto'
    const { openMetadata } = await import(${at('../../database/metadata/metadata.ts')})
    const { createAccounts } = await import(${at('./accounts.ts')})
    const { Passwords } = await import(${at('./passwords.ts')})
    const metadata = await openMetadata(${JSON.stringify(file)})
    const cost = { memory: 8, passes: 1, parallelism: 1 }
    const passwords = new Passwords({ randomBytes, cost })
    const accounts = createAccounts({ metadata, now: Date.now, randomBytes, passwords })
    const redeem = (link, i) => accounts.redeemLink(
      link,
      { name: '', email: \`\${i}@${name}.example.org\`, password: 'correct horse battery' },
      { address: '', userAgent: '' },
    ).then(() => 'won ' + link, (error) => error.code)
    console.log(JSON.stringify(await Promise.all(${JSON.stringify(links)}.map(redeem))))
    await metadata.close()`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '--eval',
    script,
  ])
  return JSON.parse(stdout) as string[]
}
