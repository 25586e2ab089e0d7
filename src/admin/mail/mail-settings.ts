/** The settings of mail, from the environment. */

import { isMailAddress } from '../../protocol/mail-address.ts'

export type MailSettings = {
  /** Address of the server, which may hold a name and a password. */
  readonly server: string
  /** Who it is from: an address, or a name and an address. */
  readonly from: { readonly name: string; readonly address: string }
}

type Environment = Readonly<Record<string, string | undefined>>

/** `undefined` where no mail is sent. Throws one sentence for a setting that cannot be right. */
export function readMailSettings(env: Environment = {}): MailSettings | undefined {
  const { SMTP_URL: server, SMTP_FROM: from } = env
  if (!server) return undefined
  const url = URL.parse(server)
  // Neither message shows the address: it may hold a password.
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '')
    throw new Error('SMTP_URL is not like smtps://name:password@mail.example.org.')
  const [, name = '', inBrackets] = /^([^<>]*?) *<([^<>]+)>$/.exec(from ?? '') ?? []
  const address = inBrackets ?? from ?? ''
  if (!isMailAddress(address) || /\p{C}/u.test(name))
    throw new Error(
      'SMTP_FROM is missing, or not like “Tablewire <admin@example.org>”: mail needs an address that it is from.',
    )
  return { server, from: { name: name.replaceAll('"', ''), address } }
}
