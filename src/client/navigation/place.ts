/** Where a person was on a page: what was scrolled, and which element had the focus. */

/** How to find an element again after its page was drawn anew. */
export type FocusPath =
  | { readonly id: string }
  /** A cell of the row with that key, or the link in it. */
  | { readonly row: string; readonly cell: number; readonly isLink: boolean }
  | { readonly name: string }
  | { readonly href: string }

/** Plain data, so that it survives in the state of a history entry. */
export type Place = {
  /** Of the window: left and top, px. */
  readonly window: readonly [number, number]
  /** Of the scrolling regions inside the page, in their order. */
  readonly regions: readonly (readonly [number, number])[]
  readonly focus: FocusPath | null
}

const PAGE = 'main'
/** What scrolls has to be reached by keyboard, so it is a region with a place in the tab order. */
const REGIONS = '[role="region"][tabindex]'

const pageElement = (): HTMLElement => document.querySelector<HTMLElement>(PAGE) ?? document.body

const regionsOf = (page: HTMLElement) => [...page.querySelectorAll<HTMLElement>(REGIONS)]

/** The place where the person is now. */
export function readPlace(): Place {
  const page = pageElement()
  return {
    window: [scrollX, scrollY],
    regions: regionsOf(page).map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop]),
    focus: document.activeElement ? focusPath(document.activeElement, page) : null,
  }
}

/** Scrolls as it was at `place`. */
export function restoreScroll({ window, regions }: Place): void {
  for (const [at, region] of regionsOf(pageElement()).entries()) {
    const [left, top] = regions[at] ?? [0, 0]
    region.scrollTo({ left, top, behavior: 'instant' })
  }
  scrollTo({ left: window[0], top: window[1], behavior: 'instant' })
}

/**
 * Focuses the element that had the focus at `place`; returns whether it is there. A caret that is still on
 * the page stays: to leave a field means to send what is typed in it, which going back must not do.
 */
export function restoreFocus({ focus }: Place): boolean {
  if (hasCaret(document.activeElement)) return true
  const element = focus && findFocus(focus, pageElement())
  if (!element) return false
  focusQuietly(element)
  return true
}

/**
 * Shows the start of a new page, or the element that `hash` names, and moves the focus there, unless
 * the page itself has put it somewhere.
 */
export function goToStart(hash: string): void {
  const page = pageElement()
  const target = hash && document.getElementById(decode(hash.slice(1)))
  if (!target) scrollTo({ left: 0, top: 0, behavior: 'instant' })
  else target.scrollIntoView({ behavior: 'instant' })
  const { activeElement } = document
  const hasFocus = activeElement !== page && page.contains(activeElement)
  if (!target && hasFocus) return
  const start = target || page.querySelector<HTMLElement>('h1') || page
  focusQuietly(start)
}

const hasCaret = (element: Element | null): boolean =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement && element.selectionStart !== null)

/** Focuses without scrolling, also what is not in the tab order. */
function focusQuietly(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex') && element.tabIndex < 0) element.tabIndex = -1
  element.focus({ preventScroll: true })
  // What is typed next goes on after what is there. Fields without a caret have no selection.
  if (element instanceof HTMLInputElement && hasCaret(element))
    element.setSelectionRange(element.value.length, element.value.length)
}

function focusPath(element: Element, page: HTMLElement): FocusPath | null {
  if (!page.contains(element)) return null
  if (element.id !== '') return element === page ? null : { id: element.id }
  const row = element.closest<HTMLElement>('[data-row-key]')
  const cell = element.closest<HTMLTableCellElement>('td, th')
  if (row?.dataset['rowKey'] !== undefined && cell)
    return { row: row.dataset['rowKey'], cell: cell.cellIndex, isLink: element !== cell }
  const [name, href] = [element.getAttribute('name'), element.getAttribute('href')]
  if (name) return { name }
  return href === null ? null : { href }
}

function findFocus(path: FocusPath, page: HTMLElement): HTMLElement | null {
  if ('id' in path) return document.getElementById(path.id)
  if ('name' in path) return page.querySelector(`[name="${CSS.escape(path.name)}"]`)
  if ('href' in path) return page.querySelector(`a[href="${CSS.escape(path.href)}"]`)
  const row = page.querySelector<HTMLTableRowElement>(`tr[data-row-key="${CSS.escape(path.row)}"]`)
  const cell = row?.cells[path.cell]
  return (path.isLink ? cell?.querySelector('a') : null) ?? cell ?? null
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
