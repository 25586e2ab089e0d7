/** Decides which clicks on links lead to a page that can be shown in place. */

/** What a click says about how its link is to be opened. */
export type ClickLike = Pick<
  MouseEvent,
  'defaultPrevented' | 'button' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'
>

/** What a link says about where it leads. */
export type LinkLike = Pick<HTMLAnchorElement, 'href' | 'target' | 'hasAttribute'>

/** Where the person is. */
export type Here = {
  /** The whole address of the page that is shown. */
  readonly href: string
  /** Address of the start page, such as `/admin/`: every other address begins with it. */
  readonly start: string
  /** Beside it are the files of the client, and nothing that is a page. */
  readonly updateUrl: string
}

/** Marks a link that always loads a document. */
export const NATIVE_ATTRIBUTE = 'data-native'

/** Whether a click asks for the link here: not in a new tab or window, and not to be saved. */
export const isPlainClick = ({
  defaultPrevented,
  button,
  altKey,
  ctrlKey,
  metaKey,
  shiftKey,
}: ClickLike): boolean =>
  !defaultPrevented && button === 0 && !altKey && !ctrlKey && !metaKey && !shiftKey

/** Path, query and fragment of a link to one of our pages; `null` for all links that a browser follows. */
export function ourAddress(link: LinkLike, { href, start, updateUrl }: Here): string | null {
  if (link.target !== '' && link.target !== '_self') return null
  if (link.hasAttribute('download') || link.hasAttribute(NATIVE_ATTRIBUTE)) return null
  const [to, from] = [URL.parse(link.href), URL.parse(href)]
  if (!to || !from || to.origin !== from.origin || !isBelow(to.pathname, start)) return null
  if (to.pathname.startsWith(updateUrl.slice(0, updateUrl.lastIndexOf('/') + 1))) return null
  // A place on this page: the browser goes there by itself.
  const isSamePage = to.pathname === from.pathname && to.search === from.search
  if (isSamePage && to.href.includes('#')) return null
  return to.pathname + to.search + to.hash
}

const isBelow = (path: string, start: string): boolean =>
  path.startsWith(start) || `${path}/` === start
