/** Lets an open page follow the development server, which serves this file as it is built. */

/** What the server tells each page: the code that it runs, and where its style sheets are. */
type Build = { readonly code: string; readonly styles: readonly string[] }

/** What it has to know stands in its own address. */
const own = new URL(import.meta.url).searchParams

new EventSource(own.get('events') ?? '').addEventListener(
  'message',
  ({ data }: MessageEvent<string>) => {
    const build = JSON.parse(data) as Build
    if (build.code !== own.get('code')) return location.reload()
    // Nothing but style sheets has changed, and those are put in place.
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')]
    for (const href of build.styles) {
      if (links.some((link) => new URL(link.href).pathname === href)) continue
      const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href })
      // The old ones stay until then, so that the page is never without style.
      fresh.addEventListener('load', () => links.forEach((link) => link.remove()))
      document.head.append(fresh)
    }
  },
)
