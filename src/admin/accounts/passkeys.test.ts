import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type DeviceOptions, passkeyDevice } from '../../../test/passkey-device.ts'
import { runs } from '../../../test/tier.ts'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import type { Actor } from '../../server/actor.ts'
import { passingKeys } from '../../server/keys.ts'
import { type Accounts, type AccountsOptions, createAccounts } from './accounts.ts'
import { passkeySite } from './passkeys.ts'
import { Passwords } from './passwords.ts'

const client = { address: '127.0.0.1', userAgent: '' }
const password = 'correct horse battery'
const origin = 'https://admin.example.org'
const refused = { code: 'PASSKEY_REFUSED' }
const keys = passingKeys()

let now: number
let metadata: Metadata
let accounts: Accounts
let ana: Actor
let device: ReturnType<typeof passkeyDevice>

const another = (more: Partial<AccountsOptions> = {}) =>
  createAccounts({
    ...{ metadata, now: () => now, randomBytes, sealer: keys },
    site: passkeySite(new URL(origin), 'Tablewire shop'),
    limits: { attemptsPerAddress: 1e6 },
    passwords: new Passwords({ randomBytes, cost: { memory: 8, passes: 1, parallelism: 1 } }),
    ...more,
  })

beforeEach(async () => {
  now = 1_700_000_000_000
  metadata = await openMetadata(':memory:', { now: () => now })
  accounts = another()
  const link = await accounts.issueLink({ role: 'admin' })
  ana = (
    await accounts.redeemLink(link, { name: 'Ana', email: 'ana@example.org', password }, client)
  ).actor
  device = passkeyDevice({ origin })
})

const self = () => ({ actor: ana, client })
const begin = () => accounts.passkeys.begin(self(), password, 'Phone')
const add = async (who = device) => accounts.passkeys.add(ana, who.create(await begin()), 'Phone')
const ask = async () => (await accounts.passkeys.askAnybody())!
const enter = async (more: Partial<DeviceOptions> = {}, who = accounts) =>
  who.enterByPasskey('', device.with(more).use(await ask()), client)

async function firstStep(): Promise<{ step: string; id: string }> {
  const entered = await accounts.enterByPassword({ email: ana.email, password, ...client })
  if (!('asks' in entered)) throw new Error('No second step is asked.')
  return { step: entered.step, id: entered.user.id }
}

const changes = async () =>
  (await metadata.peopleChanges.list({ size: 50 })).map(({ what, before, after }) => [
    what,
    before ?? after,
  ])

describe('a passkey', () => {
  test('is added by the password and with a name, signs in alone, and is removed', async () => {
    expect(await accounts.passkeys.askAnybody()).toBeUndefined()
    await expect(accounts.passkeys.begin(self(), 'no', 'Phone')).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    for (const name of ['', ' ', 'a'.repeat(101), 'a\u202eb'])
      await expect(accounts.passkeys.begin(self(), password, name)).rejects.toMatchObject({
        code: 'NAME_INVALID',
      })
    expect(await add()).toHaveLength(10)
    const [kept] = await accounts.passkeys.list(ana.id)
    expect(kept).toMatchObject({ name: 'Phone', counter: 0, lastUsedAt: null })
    now += 1000
    const { actor, token } = await enter()
    expect(actor).toEqual(ana)
    expect(await accounts.authenticate(token)).toBeDefined()
    expect(await accounts.passkeys.list(ana.id)).toMatchObject([{ counter: 1, lastUsedAt: now }])
    await expect(accounts.passkeys.remove(self(), 'no', kept!.id)).rejects.toMatchObject({
      code: 'PASSWORD_WRONG',
    })
    await expect(accounts.passkeys.remove(self(), password, 'other')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    const question = await ask()
    await accounts.passkeys.remove(self(), password, kept!.id)
    await expect(accounts.enterByPasskey('', device.use(question), client)).rejects.toMatchObject(
      refused,
    )
    expect(await changes()).toEqual([
      ['passkeyOff', 'Phone'],
      ['passkeyOn', 'Phone'],
    ])
    expect((await accounts.secondFactors.stateOf(ana.id)).recoveryLeft).toBe(0)
  })

  test('is a second factor after the password', async () => {
    const [recovery] = await add()
    const { step, id } = await firstStep()
    const question = (await accounts.passkeys.askFor(id))!
    // As a second factor it need not check its person; alone it must.
    const quick = device.with({ isVerified: false })
    expect((await accounts.enterByPasskey(step, quick.use(question), client)).actor).toEqual(ana)
    await expect(enter({ isVerified: false, counter: 5 })).rejects.toMatchObject(refused)
    expect((await accounts.enterByCode(step, recovery!, client)).actor).toEqual(ana)
  })

  test('signs for its own site alone: another origin or name is refused', async () => {
    await add()
    for (const [at, more] of [
      { origin: 'https://admin.example.org.evil.example' },
      { origin: 'http://admin.example.org' },
      { origin: 'https://admin.example.org:8443' },
      { origin: 'null' },
      { rpId: 'evil.example' },
      { rpId: 'example.org' },
    ].entries())
      await expect(enter({ ...more, counter: at })).rejects.toMatchObject(refused)
    const elsewhere = passkeyDevice({ origin: 'https://evil.example' })
    await expect(add(elsewhere)).rejects.toMatchObject(refused)
    await expect(add(passkeyDevice({ origin, rpId: 'evil.example' }))).rejects.toMatchObject(
      refused,
    )
    expect(await accounts.passkeys.list(ana.id)).toHaveLength(1)
  })

  test('answers a question once, on all nodes, within five minutes, and for its purpose', async () => {
    await add()
    const signed = device.use(await ask())
    const nodes = Array.from({ length: 10 }, () => another())
    const tries = nodes.map((node) => node.enterByPasskey('', signed, client))
    const won = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(1)
    await expect(accounts.enterByPasskey('', signed, client)).rejects.toMatchObject(refused)

    const late = await ask()
    now += 5 * 60_000
    await expect(accounts.enterByPasskey('', device.use(late), client)).rejects.toMatchObject(
      refused,
    )

    const { step, id } = await firstStep()
    const forStep = (await accounts.passkeys.askFor(id))!
    await expect(accounts.enterByPasskey('', device.use(forStep), client)).rejects.toMatchObject(
      refused,
    )
    await expect(
      accounts.enterByPasskey(step, device.use(await ask()), client),
    ).rejects.toMatchObject(refused)
    const made = JSON.stringify({ challenge: 'bWFkZSB1cA', rpId: 'admin.example.org' })
    await expect(accounts.enterByPasskey('', device.use(made), client)).rejects.toMatchObject(
      refused,
    )

    const creation = passkeyDevice({ origin }).create(await begin())
    await accounts.passkeys.add(ana, creation, 'Key')
    await expect(accounts.passkeys.add(ana, creation, 'Again')).rejects.toMatchObject(refused)
  })

  test('that counts backwards was copied', async () => {
    await add()
    await enter({ counter: 7 })
    for (const counter of [0, 6, 7]) await expect(enter({ counter })).rejects.toMatchObject(refused)
    expect((await enter({ counter: 8 })).actor).toEqual(ana)
  })

  test('of somebody else goes on for nobody, and none does for who is disabled', async () => {
    await add()
    const by = { id: 'command', name: 'x' }
    const { token } = await accounts.directory.invite(by, {
      name: 'Bo',
      email: 'bo@example.org',
      role: 'viewer',
    })
    const bo = (await accounts.redeemLink(token, { name: '', email: '', password }, client)).actor
    await expect(accounts.passkeys.proveFor(bo.id, device.use(await ask()))).rejects.toMatchObject(
      refused,
    )
    const question = await ask()
    await metadata.users.update(ana.id, { disabledAt: now })
    await expect(accounts.enterByPasskey('', device.use(question), client)).rejects.toMatchObject(
      refused,
    )
  })

  test('with any sign of its answer changed is refused', async () => {
    await add()
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(...'Az09_"{'), async (at, sign) => {
        const signed = device.use(await ask())
        const place = at % signed.length
        fc.pre(signed[place] !== sign)
        const changed = signed.slice(0, place) + sign + signed.slice(place + 1)
        await expect(
          accounts.enterByPasskey('', changed, client).then(() => {
            // Spare bits at the end of base64url say nothing.
            if (sameBytes(signed, changed)) throw Object.assign(new Error(), refused)
          }),
        ).rejects.toMatchObject(refused)
      }),
      { numRuns: runs(500, 100) },
    )
    for (const odd of ['', '{}', 'null', '[]', '{"id":1}', 'x'.repeat(20_000)])
      await expect(accounts.enterByPasskey('', odd, client)).rejects.toMatchObject(refused)
  })
})

/** Whether two answers hold the same bytes. */
function sameBytes(one: string, other: string): boolean {
  const bytesOf = (json: string): string =>
    JSON.stringify(JSON.parse(json), (_, value: unknown) =>
      typeof value === 'string' ? Buffer.from(value, 'base64url').toString('hex') : value,
    )
  try {
    return bytesOf(one) === bytesOf(other)
  } catch {
    return false
  }
}

test('no key is asked for of a kind that Node calls experimental, and would warn of', async () => {
  // Node has it, and its types do not know it yet.
  const supporting = SubtleCrypto as unknown as { supports(): boolean }
  const looks = vi.spyOn(supporting, 'supports')
  try {
    // The question was made here.
    const { pubKeyCredParams } = JSON.parse(await begin()) as {
      pubKeyCredParams: { alg: number }[]
    }
    expect(pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
    await add()
    await enter()
    expect(looks).not.toHaveBeenCalled()
  } finally {
    looks.mockRestore()
  }
})

test('passkeys are had under a name that browsers trust, and under nothing else', () => {
  const at = (url: string | undefined) =>
    passkeySite(url === undefined ? undefined : new URL(url), 'x')?.id
  expect(at('https://admin.example.org')).toBe('admin.example.org')
  expect(at('http://localhost:4600')).toBe('localhost')
  for (const url of [undefined, 'http://admin.example.org', 'https://192.0.2.7', 'https://[::1]:8'])
    expect(at(url)).toBeUndefined()
})

test('where there is no such place, none is asked for or taken', async () => {
  const without = another({ site: undefined })
  expect(without.passkeys.isOffered).toBe(false)
  expect(await without.passkeys.askAnybody()).toBeUndefined()
  expect(await without.passkeys.askFor(ana.id)).toBeUndefined()
  await expect(without.passkeys.begin(self(), password, 'x')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
  await expect(without.enterByPasskey('', '{}', client)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})

test('where everybody needs a second factor, the last one stays', async () => {
  await add()
  const required = another({ requiresSecondFactor: true })
  const [{ id } = { id: '' }] = await required.passkeys.list(ana.id)
  await expect(required.passkeys.remove(self(), password, id)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  })
  expect(await required.passkeys.list(ana.id)).toHaveLength(1)
})

test('tries from one address are limited', async () => {
  const strict = another({ limits: {} })
  const answers = new Set<string>()
  for (let tries = 0; tries < 30; tries++)
    await strict
      .enterByPasskey('', '{}', client)
      .catch(({ code }: { code: string }) => answers.add(code))
  expect(answers).toEqual(new Set(['PASSKEY_REFUSED', 'TOO_MANY_REQUESTS']))
})
