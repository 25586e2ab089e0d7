/** Moments in time. */

import { MOMENT_FORMAT } from '../../protocol/record-view.ts'
import { usePage, useTimeZone } from '../../react/use-component.ts'
import type { ShapeProps } from './shapes.ts'

/** Shows the server's text first, then the moment in the browser's zone. */
export function MomentValue({ value: { iso, text } }: ShapeProps<'moment'>) {
  const { locale } = usePage()
  const timeZone = useTimeZone()
  const write = (zone: string) =>
    new Intl.DateTimeFormat(locale, { ...MOMENT_FORMAT, timeZone: zone }).format(new Date(iso))
  return <time dateTime={iso}>{timeZone === null ? text : write(timeZone)}</time>
}
