/** Encodes names of columns for addresses, where commas and hyphens are separators. */

/** Escapes separators within a name, besides the percent-encoding of the address. */
export const encodeName = (name: string): string => name.replace(/[%,-]/g, encodeMark)

const encodeMark = (char: string) => `%${char.charCodeAt(0).toString(16)}`

export const decodeName = (text: string): string =>
  text.replace(/%(25|2c|2d)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
