/** Names of columns in an address, where commas and hyphens mean something else. */

/** Commas separate names, so those within one are escaped once more. */
export const encodeName = (name: string): string => name.replace(/[%,-]/g, encodeMark)

const encodeMark = (char: string) => `%${char.charCodeAt(0).toString(16)}`

export const decodeName = (text: string): string =>
  text.replace(/%(25|2c|2d)/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
