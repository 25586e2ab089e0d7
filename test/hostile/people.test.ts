/** Thieves at every way in: links, codes, passkeys and providers that are not theirs, all refused alike. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LyingProvider, openLyingProvider } from '../oidc/lying-provider.ts'
import { PEOPLE_CASES } from '../tier.ts'
import { drawn } from './attack.ts'
import { backTo, begin, mixed } from './mixed-oidc.ts'
import { openForm, postForm, type Visitor } from './sign-ins.ts'
import { BECOMES, BY, LATE } from './role-changes.ts'
import { firstStep, makeHolder, secondStep, wrongCodes } from './stolen-codes.ts'
import { deadLinks, linksOver } from './stolen-links.ts'
import { makeDevice, questionOf, thefts } from './stolen-passkeys.ts'
import {
  type Answer,
  ENVIRONMENT,
  openTarget,
  PASSWORD,
  type Person,
  type Target,
} from './target.ts'
import { watch } from './watch.ts'
import { makeOffice } from './worlds.ts'

const origin = 'http://localhost:4600'
/** Cases of each family, of which there are five. */
const SHARE = PEOPLE_CASES / 5

let provider: LyingProvider
let target: Target
let visitor: Visitor
let ahead = 0

const advance = (ms: number) => {
  ahead += ms
  target.advance(ms)
}

beforeAll(async () => {
  provider = await openLyingProvider()
  target = await openTarget({
    prepare: (file) => makeOffice(file, 'one'),
    ...{ table: 'notes', write: true, url: origin },
    roles: {
      clerk: {
        tables: {
          notes: { read: ['title'], rows: { op: 'eq', column: 'visible', value: 1 } },
        },
      },
    },
    signIn: {
      oidc: { scopes: ['groups'], roles: { admin: 'admins', viewer: ['staff', 'guests'] } },
    },
    env: {
      ...ENVIRONMENT,
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.clientId,
      OIDC_CLIENT_SECRET: provider.secret,
    },
  })
  visitor = await openForm(target)
})
afterAll(async () => {
  await target.close()
  await provider.close()
})

test('codes that were used, or are of another time or somebody else', async (context) => {
  const { refuse, complain, end } = watch(target)
  const time = () => Date.now() + ahead
  const holders = [
    await makeHolder(target, 'one@example.org', time()),
    await makeHolder(target, 'two@example.org', time()),
  ] as const
  for (let count = 0, round = 0; count < SHARE; round++) {
    const [own, other] = round % 2 === 0 ? holders : [holders[1], holders[0]]
    // So many codes may be tried in ten minutes.
    advance(11 * 60_000)
    const used = own.codeAt(time())
    const mine = await firstStep(target, visitor, own)
    const entered = await target.send(secondStep(visitor, mine, used))
    if (entered.status !== 303) complain(`The right code: ${entered.status}`)
    for (const [name, code] of wrongCodes(own, other, { time: time(), used, drawn: round })) {
      await refuse(name, secondStep(visitor, mine, code), [401])
      count++
    }
    // A right code with a step of somebody else, or of nobody.
    const steps = [await firstStep(target, visitor, other), mine.slice(1), `${mine}A`]
    const [theirs = '', ...forged] = steps
    await refuse('the step of another', secondStep(visitor, theirs, own.codeAt(time())), [401])
    for (const step of forged)
      await refuse('a forged step', secondStep(visitor, step, own.codeAt(time())), [419])
    count += 3
  }
  end(context, SHARE)
})

test('passkeys of another origin, site, question, key or time', async (context) => {
  const { refuse, complain, end } = watch(target)
  const device = await makeDevice(target, 'keyed@example.org', origin)
  const send = (passkey: string) =>
    postForm('/sign-in', visitor, { _token: visitor.csrf, passkey, next: '/' })
  let earlier = await questionOf(target, visitor)
  let last = device.use(earlier)
  const enters = async (name: string) => {
    const { status } = await target.send(send(last))
    if (status !== 303) complain(`${name}: ${status}`)
  }
  await enters('the first')
  for (const [at, { name, answer }] of drawn(thefts(origin), SHARE).entries()) {
    const question = await questionOf(target, visitor)
    await refuse(name, send(answer(device, question, earlier)), [401])
    if (at % 50 === 49) {
      await refuse('for the second time', send(last), [401])
      const late = device.use(question)
      advance(5 * 60_000)
      await refuse('late', send(late), [401])
      earlier = await questionOf(target, visitor)
      last = device.use(earlier)
      await enters('the right one')
    }
  }
  end(context, SHARE)
})

test('answers of a provider, mixed up', async (context) => {
  const { refuse, complain, end } = watch(target)
  const before = target.contents()
  let codes = 0
  for (const one of drawn(mixed(provider), SHARE)) {
    const [own, other] = [await begin(target), await begin(target)]
    const code = `code-${++codes}`
    const told = { email: 'eve@example.org', email_verified: true, groups: ['admins'] }
    provider.grant(code, one.nonce?.(own, other) ?? own.nonce, 'eve', {
      ...one.told,
      claims: { ...told, ...one.told?.claims },
    })
    const url = backTo(provider, code, own, one.query?.(own, other))
    const headers = { cookie: one.cookie?.(own, other) ?? own.cookie }
    if (one.isSecond) {
      const first = backTo(provider, 'never given', own)
      await refuse('a code that nobody gave', { url: first, headers }, [401])
    }
    await refuse(one.name, { url, headers }, [401])
  }
  if (target.contents() !== before) complain('Something has changed.')
  // The same, not mixed up.
  const own = await begin(target)
  provider.grant('right', own.nonce, 'eve', {
    claims: { email: 'eve@example.org', email_verified: true, groups: ['staff'] },
  })
  const headers = { cookie: own.cookie }
  const entered = await target.send({ url: backTo(provider, 'right', own), headers })
  if (entered.headers['location'] !== '/you') complain(`The right answer: ${entered.status}`)
  end(context, SHARE)
})

test('what somebody had open as their role changed', async (context) => {
  const { refuse, complain, end } = watch(target)
  const { directory } = target.admin.accounts
  const right = async (editor: Person, at: number) => {
    const { status } = await target.send(LATE[0]!.request(editor, at))
    if (status !== 200) complain(`An editor’s own save: ${status}`)
  }
  for (let at = 0; at < SHARE;) {
    // Their session and what they had open are of before.
    const editor = await target.signIn('editor')
    await right(editor, at)
    const { name: becomes, hidden, become } = BECOMES[(at / LATE.length) % BECOMES.length]!
    await become(target, editor.id)
    const before = target.contents()
    for (const { name, writes, request } of LATE) {
      const asked = request(editor, at++)
      const answer = await refuse(`${name} as ${becomes}`, asked, ANSWERS)
      const said = JSON.stringify(asked)
      for (const word of hidden)
        if (answer.body.includes(word) && !said.includes(word))
          complain(`${name} as ${becomes} shows ${word}`)
      const isDone = answer.status === 200 && !answer.body.includes('"errors":{"')
      if (writes && isDone && !isPage(answer)) complain(`${name} as ${becomes} is done`)
      if (becomes === 'viewer' && !writes && answer.status !== 200)
        complain(`${name} as ${becomes}: ${answer.status}`)
    }
    expect(target.contents(), becomes).toBe(before)
    if (becomes !== 'disabled') await directory.changeRole(BY, editor.id, 'editor')
  }
  end(context, SHARE, { isAlike: false })
})

// The clock goes a week ahead.
test('links that were guessed, used, replaced, withdrawn or are over', async (context) => {
  const { refuse, end } = watch(target)
  const refuseBoth = async (name: string, token: string) => {
    const url = `/sign-in/link/${token}`
    await refuse(`${name}, opened`, { url }, [422])
    const fields = { _token: visitor.csrf, password: PASSWORD, name: 'Eve', email: 'eve@e.example' }
    await refuse(`${name}, redeemed`, postForm(url, visitor, fields), [422])
  }
  let count = 0
  for await (const { name, token } of deadLinks(target)) {
    await refuseBoth(name, token)
    if ((count += 2) >= SHARE * 0.9) break
  }
  const over = await linksOver(target, Math.ceil(SHARE / 20))
  advance(7 * 24 * 60 * 60_000)
  for (const { name, token } of over) await refuseBoth(name, token)
  end(context, SHARE)
})

/** Those of refusals, and of what may still be read. */
const ANSWERS = [200, 303, 401, 403, 404, 419, 422]

const isPage = ({ body }: Answer): boolean => body.startsWith('<!doctype html>')
