/** A combobox over rows of another table; what it finds floats over the page and moves nothing. */

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { FilterChoice } from '../../protocol/filters.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { Choices } from './control.ts'
import { useChoices } from './use-choices.ts'
import { useFloating } from './use-floating.ts'

type RowSearchProps = {
  label: string
  placeholder: string
  /** Keys of rows that are chosen already; they are not offered. */
  chosen: readonly (string | null)[]
  find(text: string, signal: AbortSignal): Promise<Choices>
  choose(choice: FilterChoice): void
  /** Backspace in an empty field. */
  removeLast(): void
}

export function RowSearch(props: RowSearchProps) {
  const { label, placeholder, chosen, find, choose, removeLast } = props
  const { filters } = useMessages()
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const id = useId()
  const { found, isWaiting, hasFailed } = useChoices(isOpen ? 'rows' : null, text.trim(), find)
  // Those of an earlier text stay while the next are on their way, but not if these do not come.
  const all = (isOpen && !hasFailed && found?.choices) || []
  const options = all.filter(({ value }) => !chosen.includes(value))
  const isNothing = text !== '' && options.length === 0
  const hint =
    !isOpen || isWaiting
      ? ''
      : hasFailed
        ? filters.notFound
        : isNothing && (all.length > 0 ? filters.nothingMore : filters.nothing)
  const list = useFloating(options.length > 0 || Boolean(hint))
  const pick = (choice: FilterChoice | undefined) => {
    if (!choice) return
    choose(choice)
    setText('')
    setActive(0)
    setOpen(false)
  }
  // Enter is about the text that stands there, so it waits for what that one finds.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isWaiting || !isAwaited.current) return
    isAwaited.current = false
    if (isOpen) queueMicrotask(() => pick(options[active]))
  })
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, list])
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: { readonly [key: string]: number } = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined) {
      if (isOpen && options.length > 0) setActive((active + step + options.length) % options.length)
      setOpen(true)
    } else if (event.key === 'Enter') {
      if (isWaiting) isAwaited.current = true
      else pick(options[active])
    } else if (event.key === 'Escape' && isOpen) setOpen(false)
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
          isAwaited.current = false
          setText(target.value)
          setOpen(true)
          setActive(0)
        }}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      {/* The field keeps the focus. */}
      <div
        ref={list}
        className="found"
        popover="manual"
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        <div id={id} role="listbox" aria-label={label} hidden={options.length === 0}>
          {options.map((choice, at) => (
            <div
              key={String(choice.value)}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className="item"
              onClick={() => pick(choice)}
            >
              <span className="name">
                <Shown text={choice.label} />
              </span>
              {choice.text !== undefined && <span className="end">{choice.text}</span>}
            </div>
          ))}
        </div>
        {hint && <p className="hint">{hint}</p>}
      </div>
      <p className="sr" role="status">
        {isOpen &&
          !isWaiting &&
          text !== '' &&
          (hasFailed ? filters.notFound : filters.values(String(options.length)))}
      </p>
    </div>
  )
}
