/** Rows of another table to filter by: found as the person types, each shown as a button that removes it. */

import { useEffect, useState } from 'react'
import type { FilterChoice, FilterControl } from '../../protocol/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Ask, ControlProps } from './control.ts'
import { type Mode, oneOf, valuesOf } from './modes.ts'
import { RowSearch } from './row-search.tsx'
import { asked } from './use-choices.ts'

type Props = ControlProps<Extract<FilterControl, { type: 'relation' }>> & { mode: Mode }

export function RelationFilter({ offer, control, value, change, ask, mode }: Props) {
  const { filters, cell } = useMessages()
  const chosen = valuesOf(value)
  const { labels, know } = useLabels(offer.key, chosen, ask)
  const labelOf = (one: string | null) => (one === null ? cell.null : (labels.get(one) ?? one))
  const set = (next: readonly (string | null)[]) =>
    change(next.length === 0 ? null : oneOf(mode, next))
  const add = ({ value: one, label }: FilterChoice) => {
    know(one, label)
    if (!chosen.includes(one)) set([...chosen, one])
  }
  return (
    <div className="tokens needs-script">
      {chosen.map((one) => (
        <button
          key={String(one)}
          type="button"
          className="token"
          aria-label={filters.remove(labelOf(one))}
          onClick={() => set(chosen.filter((other) => other !== one))}
        >
          <span className="name">
            <Shown text={labelOf(one)} />
          </span>
          <Icon name="close" />
        </button>
      ))}
      <RowSearch
        label={filters.add(offer.label)}
        placeholder={filters.anyOf(control.rows ?? control.label)}
        chosen={chosen}
        find={(text, signal) => asked(ask).related(offer.key, text, signal)}
        choose={add}
        removeLast={() => set(chosen.slice(0, -1))}
      />
    </div>
  )
}

/** The names of chosen rows: those that were picked here, and of others what the server says. */
function useLabels(key: string, chosen: readonly (string | null)[], ask: Ask | undefined) {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map())
  const know = (value: string | null, label: string) =>
    value !== null && setLabels((known) => new Map(known).set(value, label))
  const missing = chosen.find((value) => value !== null && !labels.has(value))
  useEffect(() => {
    if (missing === undefined || missing === null || !ask) return
    const stop = new AbortController()
    const found = ask.related(key, missing, stop.signal).then(
      ({ choices }) => choices.find(({ value }) => value === missing)?.label,
      () => undefined,
    )
    void found.then((label = missing) => {
      if (!stop.signal.aborted) setLabels((known) => new Map(known).set(missing, label))
    })
    return () => stop.abort()
  }, [missing, key, ask])
  return { labels, know }
}
