/** Moments on the world's clock. */

import { MOMENT_FORMAT } from '../../protocol/record-view.ts'
import { usePage, useTimeZone } from '../../react/use-component.ts'
import type { ShapeProps } from './shapes.ts'

/** As the server drew it, then in the zone that the browser is in. */
export function MomentValue({ value: { iso, text } }: ShapeProps<'moment'>) {
  const { locale } = usePage()
  const timeZone = useTimeZone()
  const write = (zone: string) =>
    new Intl.DateTimeFormat(locale, { ...MOMENT_FORMAT, timeZone: zone }).format(new Date(iso))
  return <time dateTime={iso}>{timeZone === null ? text : write(timeZone)}</time>
}
