/** A choice of values, each with how many rows hold it. */

import { useState } from 'react'
import { type FilterChoice, type FilterControl, NULL_TEXT } from '../../protocol/filters.ts'
import { StatusMark } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ControlProps } from './control.ts'
import { type Mode, oneOf, valuesOf } from './modes.ts'
import { asked, decodeText, useChoices } from './use-choices.ts'

type Props = ControlProps<Extract<FilterControl, { type: 'choice' }>> & { mode: Mode }

/** So many values are shown before a search is offered. */
const SHORT = 8

export function ChoiceFilter({ offer, control, value, change, param, ask, mode }: Props) {
  const { filters, cell } = useMessages()
  const [text, setText] = useState('')
  // Counting a costly column waits until somebody asks for it.
  const [isWanted, setWanted] = useState(!offer.costly)
  const { found, isWaiting, hasFailed, again } = useChoices(
    isWanted && ask ? ask.version : null,
    '',
    (_, signal) => asked(ask).facets(offer.key, signal),
  )
  const chosen = valuesOf(value)
  const toggle = (one: string | null) => {
    const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one]
    change(next.length === 0 ? null : oneOf(mode, next))
  }
  const labels = useLabels(found?.choices ?? [])
  const listed = listedOf(control.choices ?? [], found?.choices ?? [], text)
  const missing = chosen.filter((one) => !listed.some((choice) => choice.value === one))
  const all: Choice[] = [
    ...missing.map((one) => ({ value: one, label: labels.get(one) ?? decodeText(one ?? '') })),
    ...listed,
  ]
  const isLong = text !== '' || all.length > SHORT
  return (
    <>
      {isLong && (
        <input
          className="in needs-script"
          type="search"
          autoComplete="off"
          aria-label={filters.find(offer.label)}
          placeholder={filters.findValue}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <div className="opts" aria-busy={isWaiting || undefined}>
        {all.map((choice) => (
          <label key={String(choice.value)}>
            <input
              type="checkbox"
              name={param(mode)}
              value={choice.value ?? NULL_TEXT}
              checked={chosen.includes(choice.value)}
              onChange={() => toggle(choice.value)}
            />
            {choice.tone && <StatusMark tone={choice.tone} />}
            <span className="name">
              {choice.value === null ? (
                cell.null
              ) : choice.label === '' ? (
                cell.empty
              ) : (
                <Shown text={choice.label} />
              )}
            </span>
            {choice.text !== undefined && <span className="n">{choice.text}</span>}
          </label>
        ))}
      </div>
      {ask && !isWanted && (
        <button type="button" className="plain needs-script" onClick={() => setWanted(true)}>
          {filters.count}
        </button>
      )}
      {hasFailed && (
        <p className="err" role="alert">
          {filters.notCounted}{' '}
          <button type="button" className="plain" onClick={again}>
            {filters.again}
          </button>
        </p>
      )}
      <p className="sr" role="status">
        {text !== '' && filters.values(String(listed.length))}
      </p>
    </>
  )
}

/** The labels of all values that were found so far: chosen ones may be no longer among the most frequent. */
function useLabels(found: readonly FilterChoice[]): ReadonlyMap<string | null, string> {
  const [labels, setLabels] = useState<ReadonlyMap<string | null, string>>(new Map())
  const fresh = found.filter(({ value, label }) => labels.get(value) !== label)
  if (fresh.length === 0) return labels
  const next = new Map([...labels, ...fresh.map(({ value, label }) => [value, label] as const)])
  setLabels(next)
  return next
}

type Choice = FilterChoice & { readonly text?: string }

/** The values of the schema in their order, with counts; then what was found besides. */
function listedOf(
  known: readonly FilterChoice[],
  found: readonly Choice[],
  text: string,
): Choice[] {
  const counts = new Map(found.map((choice) => [choice.value, choice.text]))
  const fits = ({ label }: FilterChoice) => label.toLowerCase().includes(text.trim().toLowerCase())
  const first = known.filter(fits).map((choice): Choice => {
    const count = counts.get(choice.value)
    return count === undefined ? choice : { ...choice, text: count }
  })
  const rest = found
    .filter(({ value }) => !known.some((choice) => choice.value === value))
    .filter(fits)
  return [...first, ...rest]
}
