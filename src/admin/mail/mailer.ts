/** Sends mail through a server of SMTP. */

import { setTimeout } from 'node:timers/promises'
import { isMailAddress } from '../../protocol/mail-address.ts'
import { loadPackage } from '../../server/optional-package.ts'
import { propertyOf } from '../../server/property-of.ts'
import type { MailSettings } from './mail-settings.ts'

export type Letter = { readonly subject: string; readonly text: string; readonly html: string }

/** Why a letter was not sent. */
export type MailFailure = 'address' | 'silent' | 'signIn' | 'recipient' | 'refused' | 'package'

/** Sends a letter to one address; returns why it was not sent, or `undefined` once the server has taken it. */
export type Mailer = (to: string, letter: Letter) => Promise<MailFailure | undefined>

/** How long each step of speaking with the server may take, ms. */
const STEP_MS = 10_000
/** How long all of it may take, ms: shorter than a request may last, so that nobody asks once more meanwhile. */
const WHOLE_MS = 15_000

export type MailerOptions = {
  readonly settings: MailSettings
  /** Where failures are written. Default: nowhere. */
  readonly log?: ((line: string, error?: unknown) => void) | undefined
  /** How long sending a letter may take, ms. Default: 15 s. */
  readonly wholeMs?: number
}

export function createMailer(options: MailerOptions): Mailer {
  const { settings, log, wholeMs = WHOLE_MS } = options
  const { server, from } = settings
  const url = new URL(server)
  for (const step of ['connectionTimeout', 'greetingTimeout', 'socketTimeout'])
    if (!url.searchParams.has(step)) url.searchParams.set(step, String(STEP_MS))
  const transport = async () => {
    const { createTransport } = await loadPackage('mail', 'nodemailer', () => import('nodemailer'))
    return createTransport(url.href, { from, disableFileAccess: true, disableUrlAccess: true })
  }
  let opened: ReturnType<typeof transport> | undefined
  return async (to, letter) => {
    // A comma would begin another address.
    if (!isMailAddress(to)) return 'address'
    const opening = (opened ??= transport())
    const send = async () =>
      void (await (await opening).sendMail({ ...letter, to: { name: '', address: to } }))
    const over = new AbortController()
    try {
      await Promise.race([send(), silence(wholeMs, over.signal)])
      return undefined
    } catch (error) {
      const failure = failureOf(error)
      if (failure === 'package') opened = undefined
      log?.('A mail was not sent.', error)
      return failure
    } finally {
      over.abort()
    }
  }
}

/** Fails as a server does that no longer answers. */
async function silence(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false })
  throw Object.assign(new Error(`The mail server took longer than ${ms} ms.`), {
    code: 'ETIMEDOUT',
  })
}

/** By the codes of Nodemailer. */
const FAILURES: { readonly [code: string]: MailFailure } = {
  ECONNECTION: 'silent',
  ECONNREFUSED: 'silent',
  ECONNRESET: 'silent',
  EDNS: 'silent',
  ENOTFOUND: 'silent',
  ESOCKET: 'silent',
  ETIMEDOUT: 'silent',
  ETLS: 'silent',
  EAUTH: 'signIn',
  EENVELOPE: 'recipient',
}

function failureOf(error: unknown): MailFailure {
  const code = propertyOf(error, 'code')
  // The letter itself, whoever it is from and to.
  if (propertyOf(error, 'command') === 'DATA') return 'refused'
  if (typeof code === 'string') return FAILURES[code] ?? 'refused'
  return propertyOf(propertyOf(error, 'cause'), 'code') === 'ERR_MODULE_NOT_FOUND'
    ? 'package'
    : 'refused'
}
