/** Says what a browser does with a file, and what it calls it. */

/** A name without what file systems and shells read as more than a letter. */
export const plainName = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\\/:*?"<>|]+/gu, ' ').trim()

/** The header `content-disposition`, with a plainer name for old browsers. */
export function disposition(how: 'inline' | 'attachment', text: string): string {
  const name = plainName(text)
  const ascii = name.replace(/[^\x20-\x7e]/g, '_')
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  )
  return `${how}; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
