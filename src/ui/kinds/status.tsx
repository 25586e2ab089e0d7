/** A status: a pill in one of five tints. */

import { STATUS_MAX, type Tone } from '../../protocol/table-view.ts'
import { Pill } from '../parts/pill.tsx'
import type { ClientKind } from './client-kind.ts'
import type { ShapeProps } from './shapes.ts'

const TONES: readonly string[] = ['new', 'warn', 'ok', 'idle', 'bad'] satisfies Tone[]

const isTone = (value: unknown): value is Tone => typeof value === 'string' && TONES.includes(value)

const toneOf = (more: unknown): Tone => (isTone(more) ? more : 'idle')

export const status: ClientKind = {
  cell: ({ text, more }) => <Pill text={text} tone={toneOf(more)} />,
  fits: (text) => text.length <= STATUS_MAX,
  inLink: true,
  template: toneOf,
  // Room for a word such as “In review”, so that paging does not widen the column.
  layout: { width: 'whole', least: 12, beside: 26, place: 'status', speaks: true },
}

export const StatusValue = ({ value: { text, tone } }: ShapeProps<'status'>) => (
  <Pill text={text} tone={tone} />
)
