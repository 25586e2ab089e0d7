/** Which fields of a row have changed while its page is open. */

import { useState } from 'react'
import { sameJson } from '../../protocol/json.ts'
import type { FieldsView, RecordView } from '../../protocol/record-view.ts'

export type ChangedFields = {
  /** Names of those of the last change, and what people call them. */
  readonly labels: ReadonlyMap<string, string>
  /** How many changes there were, so that a mark begins anew. */
  readonly round: number
}

type Shown = Pick<RecordView, 'table' | 'key' | 'sections'>

const NONE: ChangedFields = { labels: new Map(), round: 0 }

export function useChangedFields(view: Shown): ChangedFields {
  const [seen, setSeen] = useState({ view, changed: NONE })
  if (seen.view.sections === view.sections) return seen.changed
  const changed = changesSince(seen.view, view, seen.changed)
  setSeen({ view, changed })
  return changed
}

export function changesSince(before: Shown, after: Shown, known: ChangedFields): ChangedFields {
  if (before.table !== after.table || before.key !== after.key) return NONE
  const values = new Map(fieldsOf(before.sections).map(({ name, value }) => [name, value]))
  const changed = fieldsOf(after.sections).filter(
    ({ name, value }) => !sameJson(values.get(name), value),
  )
  if (changed.length === 0) return known
  const labels = new Map(changed.map(({ name, label }) => [name, label]))
  return { labels, round: known.round + 1 }
}

const fieldsOf = (sections: readonly FieldsView[]) => sections.flatMap(({ fields }) => fields)
