/** What a row is called that has no name: its table and its key. */

import { messagesFor } from '../../messages/messages.ts'
import type { OpenTable } from '../catalog.ts'
import { shortened } from '../references.ts'
import type { KeyValues } from '../source/value.ts'

type Keyed = Pick<OpenTable, 'definition' | 'keys'>

/** Such as “Order 10248”. */
export const unnamedRow = (open: Keyed, key: KeyValues, language: string): string =>
  messagesFor(language).record.unnamed(open.definition.label, displayKey(open, key))

/** The key as people write it, without the escapes of addresses. */
export const displayKey = ({ keys }: Pick<Keyed, 'keys'>, key: KeyValues): string =>
  keys.shown(key).map(shortened).join(', ')
