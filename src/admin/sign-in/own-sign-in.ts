/** Sign-in by the accounts that the admin itself keeps. */

import type { Accounts } from '../accounts/accounts.ts'
import type { Addresses } from '../addresses.ts'
import type { Cookies } from './cookies.ts'
import type { SignIn } from './visitors.ts'

export function createOwnSignIn(
  accounts: Accounts,
  cookies: Cookies,
  { start, signIn, signOut }: Addresses,
): SignIn {
  return {
    async authenticate(request) {
      const token = cookies.session(request)
      return token === undefined ? undefined : accounts.authenticate(token)
    },
    async stillSignedIn(request) {
      const token = cookies.session(request)
      return token === undefined ? undefined : accounts.look(token)
    },
    find: (id) => accounts.find(id),
    async signInHref(returnTo) {
      return returnTo === start ? signIn : `${signIn}?next=${encodeURIComponent(returnTo)}`
    },
    anonymous: cookies.visitor,
    links: { signOut: { href: signOut, method: 'post' } },
  }
}
