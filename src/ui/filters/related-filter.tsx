/** Rows by the rows of another table that refer to them: some, none, or every one that fulfils conditions. */

import type { FilterControl, FilterGroup, RelatedRows } from '../../protocol/filters.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { useOpenGroup } from './open-group.ts'
import { asked } from './use-choices.ts'
import { Answers } from './yes-no-filter.tsx'

type Props = ControlProps<Extract<FilterControl, { type: 'related' }>>

export function RelatedFilter({ offer, control, value, change, param, ask }: Props) {
  const { filters } = useMessages()
  const openGroup = useOpenGroup()
  const related = value && 'rows' in value ? value : undefined
  const where = related?.where
  const set = (rows: RelatedRows['rows'] | '', group: FilterGroup | undefined) =>
    change(rows === '' ? null : { rows, ...(group && { where: group }) })
  const changeWhere = () =>
    openGroup({
      title: filters.whereOf(control.label),
      offers: () => asked(ask).offers(offer.key, new AbortController().signal),
      group: where,
      apply: (group) => set(related?.rows ?? 'some', group ?? undefined),
    })
  return (
    <>
      <Answers<RelatedRows['rows']>
        label={offer.label}
        answers={[
          ['', filters.any],
          ['some', filters.rows.some],
          ['none', filters.rows.none],
          // Every one of the rows fulfils what is asked only if something is asked.
          ...(where ? ([['every', filters.rows.every]] as const) : []),
        ]}
        chosen={related?.rows ?? ''}
        name={param('rows')}
        choose={(rows) => set(rows, where)}
      />
      <button type="button" className="plain needs-script" onClick={changeWhere}>
        {where ? filters.changeWhere : filters.addWhere}
      </button>
    </>
  )
}
