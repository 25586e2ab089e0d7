/** The pages for anonymous visitors: the sign-in form, and the page of a one-time link. */

import { messagesFor, type ServerMessages } from '../../messages/messages.ts'
import type { Fact, LinkView, SignInView } from '../../protocol/admin-view.ts'
import type { Json } from '../../protocol/json.ts'
import type { SecondStepView } from '../../protocol/second-factor-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import { templates } from '../../table/templates.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { CodeDraft } from '../accounts/second-factors.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { publicPage, redirectTo } from '../pages/page.ts'
import { codeDraftView } from './code-draft-view.ts'
import type { OidcSignIn } from './oidc-sign-in.ts'

/** Facts about the database, shown beside the forms. */
export type Facts = (reader: Reader) => Fact[]

export type SignInPages = {
  readonly accounts: Accounts
  readonly addresses: Addresses
  readonly facts: Facts
  /** Where people come in through an OpenID provider. */
  readonly oidc: Pick<OidcSignIn, 'name'> | undefined
}

/** The second step of somebody whose password was right. */
export type AskedSecond = {
  readonly token: string
  readonly email: string
  /** Whose passkeys may take the place of a code. */
  readonly userId?: string
  readonly draft?: CodeDraft | undefined
  readonly recovery?: readonly string[]
}

/** What was entered, and the error about it. */
export type SignInEntry = Pick<SignInView, 'email' | 'next' | 'error'> & {
  readonly second?: AskedSecond | undefined
}

export const createSignInPage = ({ accounts, addresses, facts, oidc }: SignInPages) =>
  publicPage(PATHS.signIn, {
    name: 'sign-in',
    url: addresses.signIn,
    open({ actor, query }) {
      // Several `next` parameters are ambiguous, so none of them counts.
      const [next, ...others] = query.getAll('next')
      const to = addresses.safeNext(others.length > 0 ? undefined : next)
      const entered: SignInEntry = { email: '', next: to, error: null }
      return actor ? redirectTo(to) : entered
    },
    async data({ opened: { second, ...entered }, ...reader }) {
      const { passkeys } = accounts
      const question = second
        ? second.userId !== undefined && !second.draft && (await passkeys.askFor(second.userId))
        : await passkeys.askAnybody()
      const view: SignInView = {
        ...{ facts: facts(reader), action: addresses.signIn, ...entered },
        second: second ? secondView(second) : null,
        passkey: question || null,
        provider: oidc && !second ? providerOf(oidc.name, addresses, entered.next, reader) : null,
      }
      const { secondFactor, signIn } = messagesFor(reader.language)
      return {
        ...{ view, signIn },
        words: second || question ? templates(secondFactor.words) : null,
      } satisfies Json
    },
    title: ({ language }) => messagesFor(language).titles.signIn,
    breadcrumbs: [],
  })

const providerOf = (name: string, { oidc }: Addresses, next: string, { language }: Reader) => ({
  href: `${oidc}?next=${encodeURIComponent(next)}`,
  text: messagesFor(language).providers.signIn(name),
})

const secondView = ({ token, email, draft, recovery = [] }: AskedSecond): SecondStepView => ({
  ...{ token, email, recovery: [...recovery] },
  draft: draft ? codeDraftView(draft) : null,
})

type Link = NonNullable<Awaited<ReturnType<Accounts['inspectLink']>>>

/** What the link does, by the name of its copy. */
function does({ person, newAdministrator, setsPassword }: Link): keyof ServerMessages['links'] {
  if (!person) return newAdministrator ? 'account' : 'colleague'
  return setsPassword ? 'password' : 'signIn'
}

type OpenedLink = Pick<LinkView, 'name' | 'email' | 'errors'> & { readonly link: Link }

export const createLinkPage = ({ accounts, addresses, facts }: SignInPages) =>
  publicPage(PATHS.link, {
    name: 'link',
    async open({ params }): Promise<OpenedLink> {
      const link = await accounts.inspectLink(params.token)
      if (!link) throw new AppError('LINK_SPENT')
      return { link, name: '', email: link.person?.email ?? '', errors: {} }
    },
    data({ opened: { link, ...entered }, params, ...reader }): LinkView {
      const { links } = messagesFor(reader.language)
      const words = links[does(link)]
      return {
        facts: facts(reader),
        action: addresses.link(params.token),
        ...{ title: words.title, lead: words.lead(entered.email), submit: words.submit },
        asks: link.person ? (link.setsPassword ? 'password' : 'nothing') : 'account',
        ...entered,
      }
    },
    title: ({ language }) => messagesFor(language).titles.link,
    breadcrumbs: [],
  })
