/** A moment in the reader's own zone, once the browser knows it. */

import { usePage, useTimeZone } from '../../react/use-component.ts'

/** `text` is in the zone that the server knows, and stands until React has hydrated the page. */
export function LocalTime({ iso, text }: { iso: string; text: string }) {
  const { locale } = usePage()
  const timeZone = useTimeZone()
  const shown =
    timeZone === null
      ? text
      : new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone }).format(
          new Date(iso),
        )
  return (
    <time dateTime={iso} title={text}>
      {shown}
    </time>
  )
}
