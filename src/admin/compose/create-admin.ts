/** Composes the admin from its database, people, pages and server. */

import { signInLink } from '../sign-in/sign-in-link.ts'
import { broadcastOf } from '../../server/channel/channel.ts'
import type { Admin, AdminOptions } from './admin-options.ts'
import { type Foundation, openFoundation } from './foundation.ts'
import { createParts } from './parts.ts'
import { createPeople } from './people.ts'
import { createServer } from './server.ts'

/**
 * Opens and checks all that the first request needs. Throws one plain sentence on failure, and
 * `DefinitionError` with every mistake in what you declared.
 *
 * @example
 * const admin = await createAdmin({ source: await openSqlite('shop.db'), dataFolder: '.tablewire' })
 * await admin.app.listen({ port: 4600 })
 * console.log(`Sign in: http://127.0.0.1:4600${await admin.signInLink()}`)
 *
 * @example
 * const admin = await createAdmin({ source, dataFolder, prefix: '/admin', auth })
 * express().use(admin.middleware)
 *
 * @example
 * const admin = await createAdmin({ source, dataFolder, pages: [tallyPage], client: 'dist-client' })
 */
export async function createAdmin(options: AdminOptions): Promise<Admin> {
  const foundation = await openFoundation(options)
  try {
    return await compose(foundation, options)
  } catch (error) {
    foundation.changes.close()
    foundation.corrections.close()
    await foundation.jobs.close()
    await foundation.hooks?.close()
    await foundation.ledger?.close()
    await foundation.metadata.close()
    throw error
  }
}

async function compose(foundation: Foundation, options: AdminOptions): Promise<Admin> {
  const people = createPeople(foundation, options)
  const parts = await createParts(foundation, people, options)
  const { app, mounts, realtime } = await createServer(foundation, people, parts, options)
  return {
    ...mounts,
    app,
    accounts: people.accounts,
    keys: foundation.keys,
    sessionCookie: people.cookies.sessionName,
    components: parts.components,
    catalog: foundation.live.current,
    jobs: parts.jobs,
    broadcast: async (channel, params, event, detail) =>
      realtime.publish(await broadcastOf(channel, params, event, detail)),
    signInLink: () =>
      people.hasOwnAccounts ? signInLink(people.accounts, foundation.addresses) : refuseLink(),
    close: () => close(app, foundation),
  }
}

const refuseLink = () =>
  Promise.reject(
    new Error('People sign in at the application around this admin, not by its links.'),
  )

async function close(
  app: Admin['app'],
  { source, metadata, changes, corrections, hooks, jobs, ledger }: Foundation,
): Promise<void> {
  changes.close()
  corrections.close()
  await app.close()
  await jobs.close()
  await hooks?.close()
  await source.close()
  await ledger?.close()
  await metadata.close()
}
