/** What can be done with selected rows, or with one: as menus, buttons and keys offer it. */

import type { BulkWords } from '../../messages/bulk/words.ts'
import type { BulkAsk, BulkOffer, LeftView } from '../../protocol/plan-view.ts'
import type { Keys } from '../commands/key-names.ts'
import type { BulkIconName } from './bulk-icon.tsx'

/** What is begun: a change that asks for something first, or one that is planned at once. */
export type Begun =
  | { readonly form: 'fields' }
  | { readonly form: 'own'; readonly name: string; readonly label: string }
  | { readonly form: null; readonly ask: BulkAsk }

export type Verb = {
  readonly id: string
  readonly label: string
  readonly icon: BulkIconName
  readonly keys?: Keys
  readonly isDangerous?: boolean
  readonly begin: Begun
}

/** The key goes with what takes rows away more gently, where there are two such ways. */
export function verbsOf(
  offer: BulkOffer,
  { verbs: words }: BulkWords,
  again: LeftView['again'] = null,
): Verb[] {
  const at = (ask: BulkAsk): Begun => ({ form: null, ask })
  const own = (offer.own ?? []).map(({ name, label, hasForm }): Verb => ({
    ...{ id: `own ${name}`, label: hasForm ? words.own(label) : label, icon: 'own' },
    begin: hasForm ? { form: 'own', name, label } : at({ do: 'own', name, texts: {} }),
  }))
  const goes = { keys: 'Backspace', isDangerous: true }
  const verbs: (Verb | undefined)[] = [
    again ? { id: 'again', label: again.label, icon: 'again', begin: at(again.ask) } : undefined,
    offer.edit && {
      ...{ id: 'edit', label: words.edit, icon: 'edit', keys: 'e', begin: { form: 'fields' } },
    },
    ...own,
    offer.restore && {
      ...{ id: 'restore', label: words.restore, icon: 'restore', begin: at({ do: 'restore' }) },
    },
    offer.mark && {
      ...{ id: 'mark', label: words.mark, icon: 'delete', ...goes, begin: at({ do: 'mark' }) },
    },
    offer.delete && {
      ...{
        id: 'delete',
        label: words.delete,
        icon: 'delete',
        ...goes,
        begin: at({ do: 'delete' }),
      },
      ...(offer.mark && { keys: 'Shift+Backspace' }),
    },
  ]
  return verbs.filter((verb) => verb !== undefined)
}
