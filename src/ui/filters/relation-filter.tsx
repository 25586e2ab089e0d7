/** Rows of another table to filter by: found as the person types, each shown as a button that removes it. */

import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import type { FilterChoice, FilterControl } from '../../protocol/filters.ts'
import { Icon } from '../parts/icon.tsx'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Ask, Choices, ControlProps } from './control.ts'
import { type Mode, oneOf, valuesOf } from './modes.ts'
import { asked, useChoices } from './use-choices.ts'

type Props = ControlProps<Extract<FilterControl, { type: 'relation' }>> & { mode: Mode }

export function RelationFilter({ offer, control, value, change, param, ask, mode }: Props) {
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
    <div className="tokens">
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
      {chosen.map((one) => (
        <input key={String(one)} type="hidden" name={param(mode)} value={one ?? ''} />
      ))}
      <RowSearch
        label={filters.add(offer.label)}
        placeholder={filters.anyOf(control.label)}
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

type RowSearchProps = {
  label: string
  placeholder: string
  find(text: string, signal: AbortSignal): Promise<Choices>
  choose(choice: FilterChoice): void
  /** Backspace in an empty field. */
  removeLast(): void
}

/** A combobox over rows of another table. */
function RowSearch({ label, placeholder, find, choose, removeLast }: RowSearchProps) {
  const { filters } = useMessages()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const id = useId()
  const { found, isWaiting, hasFailed } = useChoices(isOpen ? 'rows' : null, text.trim(), find)
  const options = (isOpen && found?.choices) || []
  const pick = (choice: FilterChoice | undefined) => {
    if (!choice) return
    choose(choice)
    setText('')
    setActive(0)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      if (isOpen && options.length > 0) setActive((active + step + options.length) % options.length)
      setOpen(true)
    } else if (event.key === 'Enter') pick(options[active])
    else if (event.key === 'Escape' && isOpen) setOpen(false)
    else if (event.key === 'Backspace' && text === '') return removeLast()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="rowsearch">
      <input
        type="text"
        role="combobox"
        aria-label={label}
        aria-expanded={options.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={options.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        placeholder={placeholder}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          setOpen(true)
          setActive(0)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div
        id={id}
        className="found"
        role="listbox"
        aria-label={label}
        hidden={options.length === 0}
      >
        {options.map((choice, at) => (
          <div
            key={String(choice.value)}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === active}
            className="item"
            // The field keeps the focus.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(choice)}
          >
            <span className="name">
              <Shown text={choice.label} />
            </span>
            {choice.text !== undefined && <span className="end">{choice.text}</span>}
          </div>
        ))}
      </div>
      <p className="sr" role="status">
        {isOpen &&
          !isWaiting &&
          text !== '' &&
          (hasFailed ? filters.notFound : filters.values(String(options.length)))}
      </p>
      {isOpen && !isWaiting && (hasFailed || options.length === 0) && (
        <p className="hint">{hasFailed ? filters.notFound : text !== '' && filters.nothing}</p>
      )}
    </div>
  )
}
