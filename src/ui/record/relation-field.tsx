/** A field for a row of another table: found by its name, kept by its key, or created beside what is edited. */

import { type KeyboardEvent, useContext, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { FieldControl, FormComponent, RelatedRow } from '../../protocol/form-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useChoices } from '../filters/use-choices.ts'
import { useFloating } from '../filters/use-floating.ts'
import { Shown } from '../parts/plain-text.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { RelatedForm } from './related-form.ts'

type Props = {
  component: string
  /** The column of the form whose related table this field is of. Default: of the form's own. */
  within: string | undefined
  column: string
  control: Extract<FieldControl, { is: 'relation' }>
  text: string | null
  /** Label of the row that `text` refers to; `null` where nobody knows. */
  label: string | null
  change(text: string | null, label?: string): void
  input: { readonly id: string; readonly name: string; readonly className: string }
}

export function RelationField(props: Props) {
  const { component, within, column, control, text, change, input } = props
  const { cancellable } = useComponent<FormComponent>(component)
  const { commands, editing, filters } = useMessages()
  const [chosen, setChosen] = useState<RelatedRow | null>(null)
  const label = props.label ?? (chosen?.text === text ? chosen.label : null)
  /** What is typed and names no row yet. */
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  /** The option that keys are for; `null` is the one that the text most likely means. */
  const [chosenAt, setActive] = useState<number | null>(-1)
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const Form = useContext(RelatedForm)
  const { id } = input
  const { found, isWaiting, hasFailed } = useChoices(
    isOpen ? column : null,
    typed?.trim() ?? '',
    async (words, signal) => {
      const rows = await cancellable(signal).suggest(column, words, within ?? null)
      return { choices: rows.map(choiceOf), hasMore: rows.length >= MANY }
    },
  )
  const all = (isOpen && !hasFailed && found?.choices) || []
  const options: Option[] = [
    ...all.map(({ value, label }) => ({ is: 'row' as const, text: value ?? '', label })),
    ...(isOpen && control.create !== null && Form && !isWaiting ? [CREATE] : []),
  ]
  const likely = Math.max(
    0,
    all.findIndex(({ label }) => label === typed?.trim()),
  )
  const active = chosenAt ?? likely
  const hint = !isOpen
    ? ''
    : hasFailed
      ? filters.notFound
      : !isWaiting && all.length === 0
        ? filters.nothing
        : found?.hasMore
          ? filters.more
          : ''
  const list = useFloating(options.length > 0 || hint !== '')
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active, list])
  const choose = (row: RelatedRow) => {
    change(row.text, row.label)
    setChosen(row)
    setTyped(null)
    setActive(-1)
    setOpen(false)
  }
  const pick = (option: Option) => {
    if (option.is === 'row') return choose(option)
    setOpen(false)
    setCreating(true)
  }
  // An answer may name the very row that was typed; it counts unless more was typed since.
  const latest = useRef(typed)
  useEffect(() => {
    latest.current = typed
  })
  useEffect(() => {
    const words = latest.current?.trim()
    const meant = words ? found?.choices.filter(({ label }) => label === words) : []
    const [one] = meant ?? []
    // Of several with one name, the person chooses.
    if (meant?.length === 1 && one?.value != null) change(one.value, one.label)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each answer
  }, [found])
  // Enter is about the text that stands there, so it waits for what that one finds.
  const isAwaited = useRef(false)
  useEffect(() => {
    if (isWaiting || !isAwaited.current) return
    isAwaited.current = false
    const meant = options[likely]
    if (isOpen && meant) queueMicrotask(() => pick(meant))
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    // What was found before is not about the text that stands there now.
    const option = isOpen && !(isWaiting && typed !== null) ? options[active] : undefined
    if (step !== undefined && !event.altKey) {
      if (isOpen && options.length > 0)
        setActive((Math.max(active, step < 0 ? 0 : -1) + step + options.length) % options.length)
      setOpen(true)
    } else if (event.key === 'Enter' && option) {
      // What listens around it, such as a cell, saves the row that is chosen now.
      flushSync(() => pick(option))
      if (option.is === 'create') event.stopPropagation()
      return event.preventDefault()
    } else if (event.key === 'Enter' && isOpen && isWaiting && typed?.trim()) {
      isAwaited.current = true
    } else if (event.key === 'Escape' && isOpen && typed !== null) {
      setOpen(false)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className="relation">
      <input
        {...input}
        ref={field}
        type="text"
        role="combobox"
        aria-expanded={options.length > 0}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 && options[active] ? `${id}-${active}` : undefined}
        autoComplete="off"
        placeholder={editing.search(control.table)}
        value={typed ?? label ?? text ?? ''}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => {
          setOpen(false)
          if (label !== null || text === null) setTyped(null)
        }}
        onKeyDown={onKeyDown}
        onChange={({ currentTarget: { value } }) => {
          isAwaited.current = false
          setTyped(value)
          setOpen(true)
          setActive(value.trim() === '' ? -1 : null)
          change(value === '' ? null : value)
        }}
      />
      {/* The field keeps the focus. */}
      <span
        ref={list}
        className="found"
        popover="manual"
        onPointerDown={(event) => event.preventDefault()}
        onMouseDown={(event) => event.preventDefault()}
      >
        <span
          id={`${id}-found`}
          role="listbox"
          aria-label={control.table}
          hidden={options.length === 0}
        >
          {options.map((option, at) => (
            <span
              key={option.is === 'row' ? `=${option.text}` : 'create'}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === active}
              className={option.is === 'create' ? 'item create' : 'item'}
              onClick={() => pick(option)}
            >
              {option.is === 'create' ? (
                <span className="name">{control.create}</span>
              ) : (
                <>
                  <span className="name">
                    <Shown text={option.label} />
                  </span>
                  <span className="end">{all[at]?.text && commands.groups.recent}</span>
                </>
              )}
            </span>
          ))}
        </span>
        {hint && <span className="hint">{hint}</span>}
      </span>
      <span className="sr" role="status">
        {isOpen && !isWaiting && typed !== null && (hint || filters.values(String(all.length)))}
      </span>
      {isCreating && Form && (
        <Form
          {...{ component, column }}
          name={typed ?? ''}
          created={(row) => row && choose(row)}
          close={() => {
            setCreating(false)
            field.current?.focus()
            setOpen(false)
          }}
        />
      )}
    </span>
  )
}

type Option = ({ readonly is: 'row' } & RelatedRow) | { readonly is: 'create' }

const CREATE: Option = { is: 'create' }

/** So many are offered at once. */
const MANY = 20

const choiceOf = ({ text, label, isRecent }: RelatedRow) => ({
  ...{ value: text, label },
  ...(isRecent && { text: 'recent' }),
})
