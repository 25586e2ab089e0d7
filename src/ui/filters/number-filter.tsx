/** A number range: two fields decide, and a slider below them helps where both ends are known. */

import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { FilterControl, FilterOffer, NumberRange } from '../../protocol/filters.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import type { Ask, ControlProps } from './control.ts'
import { FieldNote } from './field-note.tsx'
import { type NumberSigns, readTyped, writeTyped } from '../../protocol/typed-numbers.ts'
import {
  inOrder,
  rangeOf,
  readRange,
  type RangeText,
  sameRange,
  wrongNumber,
} from './number-range.ts'
import { Slider } from './slider.tsx'
import { useDraft } from './use-draft.ts'
import { useLeft } from './use-left.ts'

type NumberControl = Extract<FilterControl, { type: 'number' }>

export function NumberFilter({
  offer,
  control,
  value,
  change,
  param,
  ask,
}: ControlProps<NumberControl>) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const signs = { locale, thousandths: control.thousandths }
  const applied = rangeOf(value)
  const { ends, hasFailed, wish } = useBounds(offer, control, ask)
  const { min, max } = ends
  const { draft, isUnsent, edit, settle } = useDraft(applied, () => textOf(applied, signs))
  const id = useId()
  const isWrong = readRange(draft, signs) === null
  const { hasLeft, leave } = useLeft(isWrong)
  /** Sends the range if an update is flagged: once, and never the values that are applied. */
  const commit = (next: NumberRange | null, isFlagged = isUnsent) => {
    if (!isFlagged || next === null) return
    settle()
    const range = inOrder(next)
    if (sameRange(range, applied)) return (edit(textOf(range, signs)), settle())
    change(range.min === null && range.max === null ? null : range)
  }
  const send = () => {
    if (isWrong) leave()
    commit(readRange(draft, signs))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>, bound: keyof RangeText) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      return send()
    }
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const number = Number(readTyped(draft[bound], signs) ?? ends[bound] ?? 0)
    if (Number.isSafeInteger(number)) edit({ ...draft, [bound]: writeTyped(number + step, signs) })
  }
  const field = (bound: keyof RangeText) => ({
    className: 'in num',
    inputMode: 'decimal' as const,
    autoComplete: 'off',
    name: param(bound),
    'aria-label': filters[bound],
    placeholder: ends[bound] === undefined ? '' : writeTyped(ends[bound], signs),
    value: draft[bound],
    'aria-invalid': readTyped(draft[bound], signs) === undefined || undefined,
    'aria-describedby': id,
    onChange: ({ target }: { target: { value: string } }) =>
      edit({ ...draft, [bound]: target.value }),
    onFocus: wish,
    onBlur: send,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => onKeyDown(event, bound),
    onKeyUp: ({ key }: KeyboardEvent) => (key === 'ArrowUp' || key === 'ArrowDown') && send(),
  })
  const { quantiles } = control
  const shown = readRange(draft, signs) ?? applied
  return (
    <>
      <div className="pair">
        <input {...field('min')} />
        <span className="to" aria-hidden="true">
          –
        </span>
        <input {...field('max')} />
      </div>
      <FieldNote id={id} isWrong={hasLeft}>
        {hasLeft
          ? wrongNumber([draft.min, draft.max], signs, filters)
          : hasFailed && filters.noSlider}
      </FieldNote>
      {!hasFailed && (min === undefined || max === undefined || min < max) && (
        <Slider
          label={offer.label}
          scale={{ min, max, quantiles }}
          wish={wish}
          range={shown}
          move={(range) => edit(textOf(range, signs))}
          release={(range) => commit(range, true)}
        />
      )}
    </>
  )
}

/**
 * Where the slider begins and ends: as the filter was declared, else as the rows say. Without an index
 * that takes reading them all, so it waits until somebody comes near.
 */
function useBounds(offer: FilterOffer, control: NumberControl, ask: Ask | undefined) {
  const isKnown = control.min !== undefined && control.max !== undefined
  const [isWanted, setWanted] = useState(!offer.costly)
  const [found, setFound] = useState<{ min?: number; max?: number }>({})
  const [hasFailed, setFailed] = useState(false)
  const isAsking = isWanted && !isKnown
  const { key } = offer
  // Bounds are those of all rows, so they are asked for once, whatever is filtered since.
  const current = useRef(ask)
  useEffect(() => {
    if (!isAsking || !current.current) return
    const stop = new AbortController()
    current.current.bounds(key, stop.signal).then(
      ({ min, max }) => setFound(min === null || max === null ? {} : { min: +min, max: +max }),
      () => !stop.signal.aborted && setFailed(true),
    )
    return () => stop.abort()
  }, [isAsking, key])
  return { ends: { ...found, ...control }, hasFailed, wish: () => setWanted(true) }
}

const textOf = ({ min, max }: NumberRange, signs: NumberSigns): RangeText => ({
  min: min === null || min === undefined ? '' : writeTyped(min, signs),
  max: max === null || max === undefined ? '' : writeTyped(max, signs),
})
