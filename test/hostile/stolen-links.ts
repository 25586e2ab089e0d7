/** Links that were guessed, used, withdrawn, replaced or are over. */

import { randomBytes } from 'node:crypto'
import type { Target } from './target.ts'
import { PASSWORD } from './target.ts'

const BY = { id: 'command', name: 'tests' }
const CLIENT = { address: '127.0.0.1', userAgent: 'hostile' }

let invited = 0
let near = 0

const nextAddress = (): string => `guest${++invited}@example.org`

export type DeadLink = { readonly name: string; readonly token: string }

/** Links that must not work, of every kind. */
export async function* deadLinks({ admin }: Target): AsyncGenerator<DeadLink> {
  const { accounts } = admin
  const { directory } = accounts
  const invite = (email: string) => directory.invite(BY, { name: 'Guest', email, role: 'viewer' })
  const used = await invite(nextAddress())
  await accounts.redeemLink(used.token, { name: '', email: '', password: PASSWORD }, CLIENT)
  for (;;) {
    yield { name: 'guessed', token: randomBytes(32).toString('base64url') }
    const email = nextAddress()
    const first = await invite(email)
    const second = await invite(email)
    yield { name: 'replaced', token: first.token }
    for (let n = 0; n < 4; n++) yield { name: 'nearly right', token: nearly(second.token, ++near) }
    await directory.withdraw(BY, second.person.id)
    yield { name: 'withdrawn', token: second.token }
    yield { name: 'used', token: used.token }
    const reset = await directory.renewLink(BY, used.person.id)
    await directory.disable(BY, used.person.id)
    yield { name: 'of somebody disabled', token: reset.token }
    await directory.enable(BY, used.person.id)
  }
}

/** Links that are over at once, once the clock is put forward. */
export async function linksOver({ admin }: Target, count: number): Promise<DeadLink[]> {
  const links: DeadLink[] = []
  for (let n = 0; n < count; n++) {
    const { token } = await admin.accounts.directory.invite(BY, {
      ...{ name: 'Guest', email: nextAddress(), role: 'viewer' },
    })
    links.push({ name: 'over', token })
  }
  return links
}

/** A token with one sign changed. */
function nearly(token: string, which: number): string {
  const at = which % token.length
  return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1)
}
