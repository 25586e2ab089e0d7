/** The value of a field, whole: each kind as itself, and four ways to be absent. */

import { type FieldValue, type FieldView, MOMENT_FORMAT } from '../../protocol/record-view.ts'
import { usePage, useTimeZone } from '../../react/use-component.ts'
import { isColour } from '../list/cell-text.ts'
import { Absent } from '../parts/absent.tsx'
import { Pill } from '../parts/pill.tsx'
import { Swatch } from '../parts/swatch.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { LongText } from './long-text.tsx'

export function FieldContent({ field }: { field: FieldView }) {
  const { value, unit, label } = field
  switch (value.is) {
    case 'null':
      return <Absent as="null" />
    case 'empty':
      return <Absent as="empty" />
    case 'no-access':
      return <NoAccess />
    case 'text':
    case 'own':
      return <Quantity text={value.text} unit={unit} />
    case 'status':
      return <Pill text={value.text} tone={value.tone} />
    case 'colour':
      return isColour(value.text) ? <Swatch colour={value.text} /> : <>{value.text}</>
    case 'record':
      return <RecordLink value={value} />
    case 'link':
      return <Address value={value} />
    case 'moment':
      return <Moment value={value} />
    case 'long':
      return <LongText label={label} value={value} />
    case 'bytes':
      return <Bytes value={value} />
  }
}

type Of<Is extends FieldValue['is']> = { value: Extract<FieldValue, { is: Is }> }

/** Signs of money stand before a figure, other units after it. */
function Quantity({ text, unit }: { text: string; unit: string | undefined }) {
  const isMoney = unit !== undefined && /^\p{Sc}$/u.test(unit)
  return (
    <span className="text">
      {isMoney && <span className="unit">{unit}</span>}
      {text}
      {unit !== undefined && !isMoney && <span className="unit"> {unit}</span>}
    </span>
  )
}

/** The words beside the hatch: here is room for them. */
function NoAccess() {
  const { cell } = useMessages()
  return (
    <span className="absent no-access">
      <span> {cell.noAccess}</span>
    </span>
  )
}

const RecordLink = ({ value: { text, href } }: Of<'record'>) => (
  <a className="link text" href={href}>
    {text}
  </a>
)

const Address = ({ value: { text, href } }: Of<'link'>) => {
  const outside = href.startsWith('mailto:') ? {} : { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <a className="link text" href={href} {...outside}>
      {text}
    </a>
  )
}

/** As the server drew it, then in the zone that the browser is in. */
function Moment({ value: { iso, text } }: Of<'moment'>) {
  const { locale } = usePage()
  const timeZone = useTimeZone()
  const write = (zone: string) =>
    new Intl.DateTimeFormat(locale, { ...MOMENT_FORMAT, timeZone: zone }).format(new Date(iso))
  return <time dateTime={iso}>{timeZone === null ? text : write(timeZone)}</time>
}

function Bytes({ value: { size, first, isAll } }: Of<'bytes'>) {
  const { record } = useMessages()
  return (
    <>
      <span className="text">{isAll ? size : record.beginning(size)}</span>
      {first !== '' && <pre className="bytes">{first}</pre>}
    </>
  )
}
