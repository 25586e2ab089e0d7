/** The copy of the page of corrections, which the server sends with it. */

import type { ServerMessages } from '../../messages/messages.ts'

/** As templates: the first script has no room for them. */
export type CorrectionsWords = {
  readonly [name in keyof ServerMessages['corrections']['words']]: string
}
