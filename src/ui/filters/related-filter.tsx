/** Filters rows by related rows of another table: some, none, or every one fulfils conditions. */

import { useId, useState } from 'react'
import type { FilterControl, FilterGroup, RelatedRows } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { FieldNote } from './field-note.tsx'
import { useOpenGroup } from './open-group.ts'
import { asked } from './use-choices.ts'
import { Answers } from './yes-no-filter.tsx'

type Props = ControlProps<Extract<FilterControl, { type: 'related' }>>

export function RelatedFilter({ offer, control, value, change, param, ask }: Props) {
  const { filters } = useMessages()
  const openGroup = useOpenGroup()
  const related = value && 'rows' in value ? value : undefined
  const where = related?.where
  const id = useId()
  // Every one of the rows fulfils what is asked only if something is asked: until then nothing is set.
  const [isEvery, setEvery] = useState(false)
  const lacksWhere = isEvery && !related
  const set = (rows: RelatedRows['rows'] | '', group: FilterGroup | undefined) => {
    setEvery(rows === 'every' && !group)
    const asks = rows !== '' && (rows !== 'every' || group)
    change(asks ? { rows, ...(group && { where: group }) } : null)
  }
  const changeWhere = () =>
    openGroup({
      title: filters.whereOf(control.label),
      offers: () => asked(ask).offers(offer.key, new AbortController().signal),
      group: where,
      apply: (group) => set(related?.rows ?? (isEvery ? 'every' : 'some'), group ?? undefined),
    })
  return (
    <>
      <Answers<RelatedRows['rows']>
        label={offer.label}
        answers={[
          ['', filters.any],
          ['some', filters.rows.some],
          ['none', filters.rows.none],
          ['every', filters.rows.every],
        ]}
        chosen={lacksWhere ? 'every' : (related?.rows ?? '')}
        name={param('rows')}
        choose={(rows) => set(rows, where)}
      />
      {lacksWhere && (
        <FieldNote id={id} isWrong={false}>
          {filters.everyNeeds(control.label)}
        </FieldNote>
      )}
      <button
        type="button"
        className="plain needs-script"
        aria-describedby={lacksWhere ? id : undefined}
        onClick={changeWhere}
      >
        {where ? filters.changeWhere : filters.addWhere}
      </button>
    </>
  )
}
