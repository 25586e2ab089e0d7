/** Checks what a person enters to make an account. */

import type { User } from '../../database/metadata/users.ts'
import { AppError } from '../../server/app-error.ts'
import { checkPassword } from './passwords.ts'

export type Identity = { readonly name: string; readonly email: string }

export type NewPerson = Identity & { readonly password: string }

/** Longest email address that SMTP allows, and longest name, characters. */
const EMAIL_CHARACTERS = 254
const NAME_CHARACTERS = 200

/** Something, an @, something; no spaces, nothing invisible. Only sending mail could tell more. */
const EMAIL = /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u
/** What joins letters or signs, as Persian names need, shows in what it joins. */
const INVISIBLE = /(?![\u200c\u200d])\p{C}/u

/**
 * The person, trimmed and normalized. An empty name becomes the part of the address before the @.
 * Throws `EMAIL_INVALID`, `NAME_INVALID`, `PASSWORD_TOO_SHORT` or `PASSWORD_TOO_LONG`.
 */
export function checkPerson({ password, ...identity }: NewPerson): NewPerson {
  const checked = checkIdentity(identity)
  checkPassword(password)
  return { ...checked, password }
}

/** The same without a password, of somebody who is invited. */
export function checkIdentity({ name, email }: Identity): Identity {
  const address = email.trim().normalize('NFC')
  if (!EMAIL.test(address) || address.length > EMAIL_CHARACTERS) throw new AppError('EMAIL_INVALID')
  const called = name.trim().normalize('NFC')
  if (INVISIBLE.test(called) || called.length > NAME_CHARACTERS) throw new AppError('NAME_INVALID')
  return { name: called || address.slice(0, address.indexOf('@')), email: address }
}

/** Whether a person has chosen a password or been seen; who has not is only invited. */
export const hasComeIn = ({
  passwordHash,
  lastSeenAt,
}: Pick<User, 'passwordHash' | 'lastSeenAt'>): boolean =>
  passwordHash !== null || lastSeenAt !== null
