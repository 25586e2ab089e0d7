/** Sizes of files as people read them. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** Such as “2.4 MB”, in the format of a locale. */
export function fileSize(bytes: number, locale: string): string {
  const at = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const value = bytes / 1000 ** at
  return value.toLocaleString(locale, {
    ...{ style: 'unit', unit: UNITS[at], unitDisplay: at === 0 ? 'long' : 'short' },
    maximumFractionDigits: at > 0 && value < 100 ? 1 : 0,
  })
}
