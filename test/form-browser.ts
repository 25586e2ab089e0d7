/** A browser without script over an admin that does not listen: it keeps cookies, and posts forms of pages. */

import type { FastifyInstance } from 'fastify'
import type { PageData } from '../src/protocol/page.ts'

export type Shown = {
  readonly status: number
  /** Where it leads, if anywhere. */
  readonly location: string | undefined
  readonly body: string
  /** The page that the document holds. Throws where it holds none. */
  page(): PageData
}

export type FormBrowser = {
  readonly cookies: Map<string, string>
  get(url: string): Promise<Shown>
  /** Posts with the token of the page that was shown last. */
  post(url: string, fields: Readonly<Record<string, string>>): Promise<Shown>
}

export function formBrowser(app: FastifyInstance, remoteAddress = '127.0.0.1'): FormBrowser {
  const cookies = new Map<string, string>()
  let token = ''
  async function ask(url: string, form?: string): Promise<Shown> {
    const answer = await app.inject({
      ...{ url, remoteAddress, method: form === undefined ? 'GET' : 'POST' },
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { payload: form }),
    })
    for (const { name, value, maxAge, expires } of answer.cookies)
      if (maxAge === 0 || (expires && expires.getTime() < 1)) cookies.delete(name)
      else cookies.set(name, value)
    const [, json] = /id="tablewire-page">(.*?)<\/script>/s.exec(answer.body) ?? []
    // The server wrote it into the document.
    const page = json === undefined ? undefined : (JSON.parse(json) as PageData)
    if (page) token = page.csrf
    return {
      status: answer.statusCode,
      location: answer.headers.location,
      body: answer.body,
      page() {
        if (!page) throw new Error(`No page at ${url}: ${answer.statusCode} ${answer.body}`)
        return page
      },
    }
  }
  return {
    cookies,
    get: (url) => ask(url),
    post: (url, fields) => ask(url, new URLSearchParams({ _token: token, ...fields }).toString()),
  }
}
