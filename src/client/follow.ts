/** Reloads an open page when the development server, which serves this file, has rebuilt its code. */

/** What the server sends to each page: the version of its code, and the paths of its style sheets. */
type Build = { readonly code: string; readonly styles: readonly string[] }

/** The server passes parameters in the address of this script. */
const own = new URL(import.meta.url).searchParams

new EventSource(own.get('events') ?? '').addEventListener(
  'message',
  ({ data }: MessageEvent<string>) => {
    const build = JSON.parse(data) as Build
    if (build.code !== own.get('code')) return location.reload()
    // Only style sheets have changed: replace them without a reload.
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
    for (const href of build.styles) {
      if (links.some((link) => new URL(link.href).pathname === href)) continue
      const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      // Keep the old ones until the new one has loaded, so that the page is never unstyled.
      fresh.addEventListener('load', () => links.forEach((link) => link.remove()))
      document.head.append(fresh)
    }
  },
)
