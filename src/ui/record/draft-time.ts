/** When a draft was typed, in words: it is never older than a week, so the day of the week tells which one. */

export type DraftTime = { readonly day: string; readonly time: string }

export function draftTime(at: number, now: Date, locale: string): DraftTime {
  const when = new Date(at)
  const isToday = when.toDateString() === now.toDateString()
  return {
    day: isToday
      ? new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'day')
      : when.toLocaleDateString(locale, { weekday: 'long' }),
    time: when.toLocaleTimeString(locale, { timeStyle: 'short' }),
  }
}
