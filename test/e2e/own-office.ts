/** The office of a file whose tests write: one that is tried again finds it as it was at first. */

import { afterAll, beforeAll, beforeEach } from 'vitest'
import { type Office, openOffice } from './office.ts'

/** Opens it before all tests of the file, and anew before a second try. Takes what `openOffice` takes. */
export function ownOffice(...options: Parameters<typeof openOffice>): Office {
  let office: Office
  const open = async () => void (office = await openOffice(...options))
  beforeAll(open, 240_000)
  beforeEach(async ({ task }) => {
    // What the first try wrote would stand in the way of the second.
    if (!task.result?.retryCount) return
    await office.close()
    await open()
  })
  afterAll(() => office.close())
  return {
    get admin() {
      return office.admin
    },
    get origin() {
      return office.origin
    },
    get folder() {
      return office.folder
    },
    get browser() {
      return office.browser
    },
    signedOut: (context) => office.signedOut(context),
    signedIn: (context) => office.signedIn(context),
    colleague: (name, context) => office.colleague(name, context),
    renew: () => office.renew(),
    closeContexts: () => office.closeContexts(),
    close: () => office.close(),
  }
}
