/** A slim slider with two thumbs: moving them shows the range, letting go of them sends it. */

import { useEffect, useMemo, useRef } from 'react'
import type { NumberBound, NumberRange } from '../../protocol/filters.ts'
import { usePage } from '../../react/use-component.ts'
import { useMessages } from '../parts/use-messages.ts'
import { showNumber } from '../../protocol/numbers.ts'
import { sliderScale, STEPS } from './slider-scale.ts'

type SliderProps = {
  /** Label of the filter. */
  label: string
  /** Its ends are `undefined` until they are known; the thumbs rest there meanwhile. */
  scale: {
    min: number | undefined
    max: number | undefined
    quantiles: readonly number[] | undefined
  }
  /** Somebody comes near. */
  wish(): void
  range: NumberRange
  /** A thumb moves: what is shown follows. */
  move(range: NumberRange): void
  /** A thumb was let go, by pointer or key. */
  release(range: NumberRange): void
}

export function Slider({ label, scale: { min, max, quantiles }, range, ...on }: SliderProps) {
  const { filters } = useMessages()
  const { locale } = usePage()
  const isKnown = min !== undefined && max !== undefined
  const scale = useMemo(
    () => (isKnown ? sliderScale(min, max, quantiles) : null),
    [isKnown, min, max, quantiles],
  )
  const low = scale?.placeOf(Number(range.min ?? min)) ?? 0
  const high = scale?.placeOf(Number(range.max ?? max)) ?? STEPS
  /** At an end, that side of the range is open. A step leads to another value, however small it is. */
  const rangeAt = (bound: 'min' | 'max', from: number, to: number): NumberRange => {
    if (!scale) return range
    let place = to
    while (place > 0 && place < STEPS && scale.valueAt(place) === scale.valueAt(from))
      place += Math.sign(to - from) || 1
    const isEnd = place === (bound === 'min' ? 0 : STEPS)
    return { ...range, [bound]: isEnd ? null : scale.valueAt(place) }
  }
  const show = (value: NumberBound | undefined) =>
    value === undefined ? '' : showNumber(value, locale)
  const thumb = (bound: 'min' | 'max', place: number) => ({
    place,
    label: filters.thumb[bound](label),
    text: show(range[bound] ?? (bound === 'min' ? min : max)),
    isOff: !scale,
    move: (to: number) => on.move(rangeAt(bound, place, to)),
    release: (to: number) => on.release(to === place ? range : rangeAt(bound, place, to)),
  })
  return (
    <div className="slider needs-script" onPointerEnter={on.wish} onFocus={on.wish}>
      <div className="range" ref={(element) => fill(element, low, high)}>
        <i />
        <Thumb {...thumb('min', low)} />
        <Thumb {...thumb('max', high)} />
      </div>
      <div className="ends" aria-hidden="true">
        <span>{show(min)}</span>
        <span>{show(max)}</span>
      </div>
    </div>
  )
}

/** Where the bar between the thumbs begins and ends; set by script, as pages hold no inline styles. */
function fill(element: HTMLElement | null, low: number, high: number): void {
  const { style } = element ?? {}
  style?.setProperty('--lo', String(Math.min(low, high) / STEPS))
  style?.setProperty('--hi', String(Math.max(low, high) / STEPS))
}

type ThumbProps = {
  place: number
  label: string
  text: string
  isOff: boolean
  move(place: number): void
  release(place: number): void
}

const MOVES = /^(?:Arrow|Page|Home|End)/

function Thumb({ place, label, text, isOff, move, release }: ThumbProps) {
  const thumb = useRef<HTMLInputElement>(null)
  const current = useRef({ release, isKey: false })
  useEffect(() => {
    current.current.release = release
  })
  useEffect(() => {
    const element = thumb.current
    // The browser reports it when a drag ends; a key that is held reports each step.
    const onChange = () => {
      if (!current.current.isKey && element) current.current.release(element.valueAsNumber)
    }
    element?.addEventListener('change', onChange)
    return () => element?.removeEventListener('change', onChange)
  }, [])
  const finish = (at: number) => {
    if (!current.current.isKey) return
    current.current.isKey = false
    release(at)
  }
  return (
    <input
      ref={thumb}
      type="range"
      min={0}
      max={STEPS}
      step={1}
      disabled={isOff}
      value={place}
      aria-label={label}
      aria-valuetext={text}
      onChange={({ target }) => move(target.valueAsNumber)}
      onKeyDown={({ key }) => void (MOVES.test(key) && (current.current.isKey = true))}
      onKeyUp={({ currentTarget }) => finish(currentTarget.valueAsNumber)}
      onBlur={({ currentTarget }) => finish(currentTarget.valueAsNumber)}
    />
  )
}
