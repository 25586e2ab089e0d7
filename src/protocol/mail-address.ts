/** Decides which texts are one mail address, and contain nothing else that a mail program would act on. */

/** Most characters of an address (RFC 5321). */
const LONGEST = 254

/** Characters that need no encoding in a link; `?` would begin headers, and a comma another address. */
const ADDRESS =
  /^[\p{L}\p{M}\p{N}.!$'*+/=_~-]+@[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}.-]*[\p{L}\p{M}\p{N}])?$/u

/** Whether `mailto:` before the text writes to this address alone. */
export const isMailAddress = (text: string): boolean => text.length <= LONGEST && ADDRESS.test(text)
