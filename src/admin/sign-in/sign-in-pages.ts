/** The pages for anonymous visitors: the sign-in form, and the page of a one-time link. */

import { messagesFor, type ServerMessages } from '../../messages/messages.ts'
import type { Fact, LinkView, SignInView } from '../../protocol/admin-view.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { type Addresses, PATHS } from '../addresses.ts'
import { publicPage, redirectTo } from '../pages/page.ts'

/** Facts about the database, shown beside the forms. */
export type Facts = (reader: Reader) => Fact[]

export type SignInPages = {
  readonly accounts: Accounts
  readonly addresses: Addresses
  readonly facts: Facts
}

/** What was entered, and the error about it. */
type Entered = Pick<SignInView, 'email' | 'next' | 'error'>

export const createSignInPage = ({ addresses, facts }: Omit<SignInPages, 'accounts'>) =>
  publicPage(PATHS.signIn, {
    name: 'sign-in',
    url: addresses.signIn,
    open({ actor, query }) {
      // Several `next` parameters are ambiguous, so none of them counts.
      const [next, ...others] = query.getAll('next')
      const to = addresses.safeNext(others.length > 0 ? undefined : next)
      const entered: Entered = { email: '', next: to, error: null }
      return actor ? redirectTo(to) : entered
    },
    data: ({ opened, ...reader }): SignInView => ({
      facts: facts(reader),
      action: addresses.signIn,
      ...opened,
    }),
    title: ({ language }) => messagesFor(language).titles.signIn,
    breadcrumbs: [],
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
