/** The copy of second factors, which the server sends with a page that is about them. */

import type { ServerMessages } from '../../messages/messages.ts'

/** As templates: the first script has no room for them. */
export type SecondWords = {
  readonly [name in keyof ServerMessages['secondFactor']['words']]: string
}
