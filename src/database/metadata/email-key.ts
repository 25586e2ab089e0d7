/** When two spellings of an email address are one: letter case and Unicode form do not count. */

/** The form under which an address is unique and looked up; it is never shown. */
export const emailKey = (email: string): string =>
  email.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
