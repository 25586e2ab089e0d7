/** The pictures of one row, as its page or its line of a list shows them. */

export type Picture = { readonly href: string; readonly name: string }

export type Pictures = { readonly all: readonly Picture[]; readonly at: number }

/** Links to pictures of our own origin; the attribute holds the name. */
export const PREVIEWED = 'a[data-picture]'

/** Those beside the link, each once, and where that one is among them. */
export function picturesOf(link: Element): Pictures {
  const row = link.closest('tr, main') ?? document
  const all = new Map(
    [...row.querySelectorAll<HTMLAnchorElement>(PREVIEWED)].map((one) => [
      one.getAttribute('href') ?? '',
      one.dataset['picture'] ?? '',
    ]),
  )
  const pictures = [...all].map(([href, name]) => ({ href, name }))
  const at = pictures.findIndex(({ href }) => href === link.getAttribute('href'))
  return { all: pictures, at: Math.max(0, at) }
}
