/** What hangs on a row that is to be deleted: rows that refer to it, and what becomes of them. */

import { messagesFor } from '../../messages/messages.ts'
import type { HangingView } from '../../protocol/form-view.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../catalog.ts'
import type { DeletionLacks } from '../changes/deletion-lacks.ts'
import { filteredBy } from '../filters/deleted.ts'
import { formatterFor } from '../format.ts'
import { LISTING } from '../list/fold.ts'
import { MOST_CASCADED } from '../source/ledger-entry.ts'
import type { Count } from '../source/row-source.ts'
import { drawMarking } from './marking.ts'
import { relatedLabel } from './related-page.ts'
import type { RelatedRows } from './related.ts'

type Hanging = {
  readonly related: readonly RelatedRows[]
  readonly counts: readonly (Count | null)[]
  /** Address of a table's listing. */
  href(table: string): string
  readonly reader: Reader
  /** What the history would lack of a deletion; left out where none is kept. */
  readonly lacks?: DeletionLacks | undefined
}

export function drawHanging(
  open: OpenTable,
  { related, counts, href, reader, lacks }: Hanging,
): HangingView {
  const { definition } = open
  const { form } = messagesFor(reader.language)
  const some = related.flatMap((one, at) => {
    const found = counts[at]
    return found && found.count > 0 ? [{ ...one, found }] : []
  })
  const lastRefusing = some.findLast(
    ({ foreignKey: { onDelete = 'restrict' } }) => onDelete === 'restrict',
  )
  const lines = some.flatMap((one) => {
    const { open, foreignKey, filterComponents, found } = one
    const rows = { count: found.count, text: countText(found, reader) }
    const fate = foreignKey.onDelete ?? 'restrict'
    const label = relatedLabel(one, related, { self: definition.table.name, reader })
    const text = form.hanging[fate](label, rows, one === lastRefusing)
    return [
      {
        ...{ text, isRefusing: fate === 'restrict' },
        href: LISTING.href(
          href(open.access.table.name),
          LISTING.state(filteredBy(filterComponents, open)),
        ),
      },
    ]
  })
  const isRefused = lines.some(({ isRefusing }) => isRefusing)
  const marking = drawMarking(open, reader)
  const title = isRefused && !marking.mark ? form.refusedTitle : form.deleteTitle
  return {
    title: title(definition.label),
    lines: lines.map(({ text, href }) => ({ text, href })),
    isRefused,
    afterwards: lacks === undefined ? null : afterwards(lacks, reader),
    ...marking,
  }
}

function afterwards(lacks: DeletionLacks, reader: Reader): string {
  const { form } = messagesFor(reader.language)
  if (lacks === 'rows') return form.afterwards.tooMuch(formatterFor(reader).number(MOST_CASCADED))
  return lacks === 'value' ? form.afterwards.tooLarge : form.afterwards.kept
}

/** How many there are, as far as they were counted. */
export const countText = ({ kind, count }: Count, reader: Reader): string => {
  const { form } = messagesFor(reader.language)
  const text = formatterFor(reader).number(count)
  return kind === 'exact' ? text : form.atLeast(text)
}
