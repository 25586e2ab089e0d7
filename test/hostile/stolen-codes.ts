/** Codes that were used, are of another time or of somebody else, and steps that are not theirs. */

import { Secret, TOTP } from 'otpauth'
import type { PageData } from '../../src/protocol/page.ts'
import type { SignInView } from '../../src/protocol/admin-view.ts'
import { postForm, type Visitor } from './sign-ins.ts'
import { type HostileRequest, PASSWORD, type Target } from './target.ts'

const CLIENT = { address: '127.0.0.1', userAgent: 'hostile' }

/** Somebody who signs in with codes. */
export type Holder = {
  readonly email: string
  readonly recovery: readonly string[]
  /** The code of a moment, ms since 1970. */
  codeAt(time: number): string
}

export async function makeHolder({ admin }: Target, email: string, time: number): Promise<Holder> {
  const { accounts } = admin
  const link = await accounts.issueLink({ role: 'editor' })
  const entry = { name: 'Holder', email, password: PASSWORD }
  const { actor } = await accounts.redeemLink(link, entry, CLIENT)
  const { secret, sealed } = await accounts.secondFactors.begin({ actor, client: CLIENT }, PASSWORD)
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (timestamp: number) => totp.generate({ timestamp })
  const code = codeAt(time)
  const recovery = await accounts.secondFactors.finish(actor, { sealed, code }, CLIENT.address)
  return { email, recovery, codeAt }
}

/** Takes the first step; returns the token of the second. */
export async function firstStep(
  target: Target,
  visitor: Visitor,
  { email }: Pick<Holder, 'email'>,
): Promise<string> {
  const fields = { _token: visitor.csrf, email, password: PASSWORD, next: '/' }
  const { status, body } = await target.send(postForm('/sign-in', visitor, fields))
  const [, json = ''] = /id="tablewire-page">(.*?)<\/script>/s.exec(body) ?? []
  if (status !== 200 || json === '') throw new Error(`No second step: ${status}`)
  const { content } = JSON.parse(json) as PageData // The server wrote it into the document.
  return (content.data as { view: SignInView }).view.second?.token ?? ''
}

export const secondStep = (visitor: Visitor, step: string, code: string): HostileRequest =>
  postForm('/sign-in', visitor, { _token: visitor.csrf, step, code, next: '/' })

const HALF_MINUTE = 30_000

/** Codes that must not count now, of which eight are tried with each step. */
export function* wrongCodes(
  own: Holder,
  other: Holder,
  { time, used, drawn }: { readonly time: number; readonly used: string; readonly drawn: number },
): Iterable<readonly [name: string, code: string]> {
  // Those a step before and after count; at its end, the next one does soon.
  const counting = [-2, -1, 0, 1, 2].map((step) => own.codeAt(time + step * HALF_MINUTE))
  const pick = <T>(all: readonly T[], by: number): T => all[by % all.length] as T // Never empty.
  const away = (by: number) => own.codeAt(time + by * HALF_MINUTE)
  const recovery = own.recovery[drawn % own.recovery.length] ?? ''
  const codes: readonly (readonly [string, string])[] = [
    ['used', used],
    ['too early', away(3 + (drawn % 50))],
    ['too late', away(-3 - (drawn % 50))],
    ['of somebody else', other.codeAt(time)],
    ['a recovery code of somebody else', pick(other.recovery, drawn)],
    ['a recovery code, nearly', (recovery[0] === '2' ? '3' : '2') + recovery.slice(1)],
    ['drawn', String((drawn * 7919) % 1_000_000).padStart(6, '0')],
    [
      'odd',
      pick(
        [
          '',
          '0',
          '000000000000',
          '１２３４５６',
          'null',
          '-1',
          `${used} `,
          `${used}0`,
          '1e5',
          '\0\0\0\0\0\0',
        ],
        drawn,
      ),
    ],
  ]
  for (const [name, code] of codes)
    if (!counting.includes(code) || name === 'used') yield [name, code]
}
