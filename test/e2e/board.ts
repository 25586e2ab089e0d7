/** The board of inspections, built and served as an outsider would, with what a test adds to it. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page } from 'playwright-core'
import { closeContexts, sharedBrowser } from './browser.ts'
import { enter, openOutsider } from './outsider.ts'

export type Board = {
  readonly browser: Browser
  /** A new tab of the signed-in person, in a browser of its own, whose clock a test may control. */
  newPage(): Promise<Page>
  readonly address: string
  /** Changes the queue from another process, as a colleague would. */
  change(sql: string): void
  close(): Promise<void>
}

/** `parts` are React components and `uses` are elements below the board: what a test needs besides. */
export async function openBoard({ parts = '', uses = '' } = {}): Promise<Board> {
  const outsider = openOutsider('board')
  if (uses !== '') {
    outsider.change('board-view.tsx', (text) =>
      text.replace('<Summary id=', `${uses}<Summary id=`).concat(parts),
    )
  }
  const built = outsider.run('build')
  if (built.status !== 0) throw new Error(built.out)
  const { link, origin } = await outsider.start('--port', '0')
  const browser = await sharedBrowser()
  const context = await browser.newContext({ locale: 'en-US' })
  await enter(context, link)
  const cookies = await context.cookies()
  await context.close()
  const database = new DatabaseSync(join(outsider.folder, 'queue.sqlite'))
  return {
    browser,
    async newPage() {
      const own = await browser.newContext({ locale: 'en-US' })
      await own.addCookies(cookies)
      return own.newPage()
    },
    address: `${origin}/board`,
    change: (sql) => database.exec(sql),
    async close() {
      database.close()
      await closeContexts(browser)
      await outsider.close()
    },
  }
}
