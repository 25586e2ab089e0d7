/** The copy of the page of roles, which the server sends with it. */

import type { ServerMessages } from '../../messages/messages.ts'

/** As templates: the first script has no room for them. */
export type RolesWords = { readonly [name in keyof ServerMessages['rolesPage']['words']]: string }
