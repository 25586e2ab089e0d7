/** The HTML document around a rendered page. */

import type { PageData } from '../../protocol/page.ts'

/** Built files that a page loads, by the paths that the browser requests. */
export type ClientFiles = {
  readonly script: string
  /** The small script that keeps the keys pressed while the other one loads. */
  readonly keys?: string
  /** What the script imports, so that the browser asks for both at once. */
  readonly imports: readonly string[]
  readonly styles: readonly string[]
  readonly fonts: readonly string[]
  /** The script with the copy of pages, by language. */
  readonly messages: { readonly [language: string]: string }
}

/** Draws the inside of `#app`, as the built `#render` entry does; `rules` takes the CSS rules that go with it. */
export type Renderer = (page: PageData, rules: string[]) => string

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)

/** JSON for a script element: it holds no `<` and no line separator. */
export const scriptJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/**
 * The whole document. `nonce` is that of the response's content security policy; `notice` is for people
 * without script, who are told what became of a form by the next page.
 */
export function renderDocument(
  page: PageData,
  files: ClientFiles,
  render: Renderer,
  nonce: string,
  notice?: string,
): string {
  const { theme, density } = page.preferences
  const messages = files.messages[page.language]
  const attributes = {
    lang: page.language,
    dir: page.direction,
    'data-theme': theme,
    'data-density': density,
  }
  const rules: string[] = []
  const inside = render(page, rules)
  return `<!doctype html>
<html${Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join('')}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csrf-token" content="${escapeHtml(page.csrf)}">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="data:,">
${files.fonts.map((href) => `<link rel="preload" href="${escapeHtml(href)}" as="font" type="font/woff2" crossorigin>`).join('')}
${files.styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}" nonce="${nonce}">`).join('')}
${rules.length === 0 ? '' : `<style nonce="${nonce}">${rules.join('')}</style>`}
${files.keys === undefined ? '' : `<script type="module" async src="${escapeHtml(files.keys)}" nonce="${nonce}"></script>`}
${[...files.imports, ...(messages === undefined ? [] : [messages])].map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}" nonce="${nonce}">`).join('')}
<script type="module" src="${escapeHtml(files.script)}" nonce="${nonce}"></script>
</head>
<body>${notice === undefined ? '' : `<noscript><p class="notice" role="status">${escapeHtml(notice)}</p></noscript>`}<div id="app">${inside}</div>
<script type="application/json" id="tablewire-page">${scriptJson(page)}</script>
</body>
</html>
`
}
