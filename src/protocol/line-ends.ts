/** Line ends of texts, each of which becomes a line feed in a field of several lines. */

/** A text of such a field with the line ends that the stored text has, if these are all of one kind. */
export function endedAs(text: string, stored: string | null): string {
  const hasOne = stored !== null && stored.includes('\r\n') && !/(?:^|[^\r])\n/.test(stored)
  return hasOne ? text.replace(/\r?\n/g, '\r\n') : text
}
