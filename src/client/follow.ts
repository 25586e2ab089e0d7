/**
 * Reloads an open page when the development server, which serves this file, has rebuilt its code, and
 * shows why it could not.
 */

/** What the server sends to each page: the version of its code, and the paths of its style sheets. */
type Build = { readonly code: string; readonly styles: readonly string[] }

/** The server passes parameters in the address of this script. */
const own = new URL(import.meta.url).searchParams

/** How long to wait before listening again where the browser has given up, ms. */
const LISTEN_AGAIN_MS = 500

function listen(): void {
  const events = new EventSource(own.get('events') ?? '')
  events.addEventListener('message', ({ data }: MessageEvent<string>) =>
    // Only the development server, which also serves this file, sends messages here.
    follow(JSON.parse(data) as Build),
  )
  events.addEventListener('failed', ({ data }: MessageEvent<string>) =>
    showFailure(String(JSON.parse(data))),
  )
  events.addEventListener('error', () => {
    // A browser connects again by itself, but not after a refusal, which a server that stops may send.
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, LISTEN_AGAIN_MS)
  })
}

function follow(build: Build): void {
  if (build.code !== own.get('code')) return location.reload()
  banner?.remove()
  // Only style sheets have changed: replace them without a reload.
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
  for (const href of build.styles) {
    if (links.some((link) => new URL(link.href).pathname === href)) continue
    const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
    // Keep the old ones until the new one has loaded, so that the page is never unstyled.
    fresh.addEventListener('load', () => links.forEach((link) => link.remove()))
    document.head.append(fresh)
  }
}

/** The failure that is shown; the page below stays usable. */
let banner: HTMLElement | undefined

function showFailure(text: string): void {
  banner?.remove()
  banner = Object.assign(document.createElement('pre'), { textContent: text, role: 'alert' })
  Object.assign(banner.style, {
    position: 'fixed',
    inset: 'auto 0 0',
    zIndex: '9999',
    maxBlockSize: '50vh',
    margin: '0',
    padding: '16px',
    overflow: 'auto',
    whiteSpace: 'pre-wrap',
    font: '13px/1.4 monospace',
    color: '#fff',
    background: '#8c1d18',
  })
  document.body.append(banner)
}

listen()
