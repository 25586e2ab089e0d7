/** Sends people the links by which they choose a password. */

import { messagesFor } from '../../messages/messages.ts'
import { escapeHtml } from '../../server/http/document.ts'
import type { Reader } from '../../server/http/locale.ts'
import { timeOf } from '../../table/history/moments.ts'
import type { IssuedLink } from '../accounts/directory.ts'
import type { Letter, Mailer, MailFailure } from './mailer.ts'

/** What became of a letter: it was sent, it was not, or mail is not set up. */
export type Delivery = 'sent' | MailFailure | 'placeless' | 'none'

/** `by` is the name of who has made the link. */
export type LinkLetters = (issued: IssuedLink, by: string, reader: Reader) => Promise<Delivery>

export type LinkLettersOptions = {
  /** Left out where no mail is sent. */
  readonly mailer?: Mailer | undefined
  /** The whole address of a link; `undefined` where nobody knows where browsers reach the server. */
  addressOf(token: string): string | undefined
}

/** Never throws: the link stays good whatever becomes of the letter. */
export const linkLetters =
  ({ mailer, addressOf }: LinkLettersOptions): LinkLetters =>
  async (issued, by, reader) => {
    if (!mailer) return 'none'
    const link = addressOf(issued.token)
    if (link === undefined) return 'placeless'
    return (await mailer(issued.person.email, letterOf(issued, link, by, reader))) ?? 'sent'
  }

/** In the language of who has made the link. */
function letterOf(
  { person, isInvited, expiresAt }: IssuedLink,
  link: string,
  by: string,
  reader: Reader,
): Letter {
  const { mail } = messagesFor(reader.language)
  const words = mail[isInvited ? 'invitation' : 'password']
  const host = new URL(link).host
  const zone = reader.timeZone === undefined ? ' UTC' : ''
  const until = mail.works(timeOf(expiresAt, reader) + zone)
  const lead = words.lead(by, host)
  const paragraphs = [mail.hello(person.name), lead, link, until, mail.unwanted]
  return {
    subject: words.subject(host),
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${escapeHtml(reader.language)}"><body>${paragraphs
      .map(
        (paragraph) =>
          `<p>${paragraph === link ? anchor(link, words.button) : escapeHtml(paragraph)}</p>`,
      )
      .join('')}</body></html>`,
  }
}

const anchor = (href: string, label: string): string =>
  `<a href="${escapeHtml(href)}">${escapeHtml(label)}</a><br><small>${escapeHtml(href)}</small>`
