/** Listens to all links of the document at once: to clicks, and to signs that a click is coming. */

import { type Here, isPlainClick, ourAddress } from './is-ours.ts'

/** What to do with links to our pages. */
export type LinkHandlers = {
  /** Where the person is. */
  here(): Here
  /** The link was clicked: its page is shown in place. */
  open(href: string): void
  /** Pointer or focus is on the link, or left it. */
  enter(href: string): void
  leave(): void
  /** A finger is on the link. */
  touch(href: string): void
}

/** Returns the cleanup. */
export function listenToLinks(handlers: LinkHandlers): () => void {
  const stop = new AbortController()
  let under: HTMLAnchorElement | null = null

  const addressOf = (link: HTMLAnchorElement | null): string | null =>
    link && ourAddress(link, handlers.here())
  const move = (link: HTMLAnchorElement | null) => {
    if (link === under) return
    if (under) handlers.leave()
    under = link
    const href = addressOf(link)
    if (href !== null) handlers.enter(href)
  }
  const on = <Name extends keyof DocumentEventMap>(
    name: Name,
    listener: (event: DocumentEventMap[Name]) => void,
  ) => document.addEventListener(name, listener, { signal: stop.signal, passive: name !== 'click' })

  on('click', (event) => {
    const href = isPlainClick(event) ? addressOf(linkOf(event)) : null
    if (href === null) return
    event.preventDefault()
    handlers.open(href)
  })
  on('pointerover', (event) => {
    if (event.pointerType !== 'touch') move(linkOf(event))
  })
  on('focusin', (event) => move(linkOf(event)))
  on('focusout', () => move(null))
  on('touchstart', (event) => {
    const href = addressOf(linkOf(event))
    if (href !== null) handlers.touch(href)
  })
  document.documentElement.addEventListener('pointerleave', () => move(null), {
    signal: stop.signal,
  })
  return () => stop.abort()
}

const linkOf = ({ target }: Event): HTMLAnchorElement | null =>
  target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
