/** What all parts of an admin build on: addresses, keys, records, tables, and the built client. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openLedger, stepSettler } from '../../database/ledger/open-ledger.ts'
import { openMetadata } from '../../database/metadata/metadata.ts'
import { loadClient } from '../../server/http/client-files.ts'
import { loadRenderer } from '../../server/http/load-renderer.ts'
import { KeyRing } from '../../server/keys.ts'
import type { Actor } from '../../server/actor.ts'
import { createDiskStorage } from '../../server/upload/disk-storage.ts'
import { createS3Storage } from '../../server/upload/s3/s3-storage.ts'
import type { Storage } from '../../server/upload/storage.ts'
import { createTransfers } from '../../server/upload/transfers.ts'
import { createUploads } from '../../server/upload/uploads.ts'
import { createChangeDoor } from '../../table/changes/door.ts'
import { entryId } from '../../table/changes/entry-id.ts'
import { startHooks } from '../../table/changes/hooks.ts'
import { createLiveCatalog } from '../../table/live-catalog.ts'
import { rolePolicy } from '../accounts/roles.ts'
import { loadSecret } from '../accounts/secret.ts'
import { createAddresses } from '../addresses.ts'
import { createChanges } from '../changes/changes.ts'
import { correctedDatabase, openCorrections } from '../corrections/corrections.ts'
import { readRealtimeSettings } from '../realtime/realtime-settings.ts'
import type { AdminOptions } from './admin-options.ts'
import { clientFolders } from './client-folders.ts'
import { openJobs } from './open-jobs.ts'
import { recordsPlace } from './records-place.ts'
import { readS3Settings } from './s3-settings.ts'

/** How long changes are kept, days. */
const HISTORY_DAYS = 90
const DAY_MS = 24 * 60 * 60 * 1000

export type Foundation = Awaited<ReturnType<typeof openFoundation>>

/** Opens the source's catalog, keys, records and client. Throws one plain sentence on failure. */
export async function openFoundation(options: AdminOptions) {
  const { source, dataFolder, env = {}, log, now = Date.now, policy = rolePolicy } = options
  const { historyDays = HISTORY_DAYS } = options
  const realtime = readRealtimeSettings(options)
  const storage = await openStorage(options)
  const addresses = createAddresses(options.prefix)
  const url = options.url === undefined ? undefined : originUrl(options.url)
  const secret = await loadSecret(dataFolder, env)
  const keys = new KeyRing([secret], addresses.prefix)
  // What is stored can be read under another prefix as well.
  const recordKeys = new KeyRing([secret], 'records')
  const folders = await clientFolders(options.client)
  const records = recordsPlace({
    ...{ dataFolder, env, now, log, metadata: options.metadata, beside: source.own },
  })
  const [client, renderer, metadata, live] = await Promise.all([
    loadClient(folders.browser, addresses.assets),
    loadRenderer(folders.renderer),
    openMetadata(records.address, { ...records, historyMs: historyDays * DAY_MS }),
    createLiveCatalog(source, policy, {
      definitions: options.definitions,
      kinds: options.kinds,
      roles: options.roles,
      sealer: keys,
      now,
      report: (error) => log?.('The tables have changed, and what was known of them stays.', error),
    }),
  ])
  source.own?.leaveOut(metadata.writes)
  const changes = await createChanges({
    ...{ source, metadata, records: metadata.place, write: options.write, log },
  })
  const corrections = await openCorrections({
    ...{ metadata, live, now, log },
    database: correctedDatabase(source, live.current().schema),
  })
  const newId = () => entryId(now(), randomBytes(10))
  const ledgerOptions = {
    ...{ source, dataFolder, now, newId, keptDays: historyDays },
    definitions: options.definitions,
    ...{ metadata: records.address, isBeside: records.isBeside, environment: records.environment },
  }
  const ledger = await openLedger(ledgerOptions)
  const hooks =
    ledger &&
    startHooks({
      ...{ ledger: ledger.hooks, node: newId(), catalog: live.current, now, report: log },
      later(task, delayMs) {
        const timer = setTimeout(task, delayMs)
        timer.unref()
        return () => clearTimeout(timer)
      },
    })
  /** Actors of requests that have written rows: each request has one of its own. */
  const writers = new WeakSet<Actor>()
  const door = createChangeDoor({
    ...{ source, catalog: live.current, now, newId },
    ...(ledger && { ledger }),
    wrote(_tables, actor) {
      writers.add(actor)
      hooks?.poke()
    },
  })
  const jobs = await openJobs({
    ...{ records, place: metadata.place, bus: realtime.bus, now, newId, log },
    ...(ledger && { settle: stepSettler(ledger, ledgerOptions) }),
  })
  const uploads = createUploads({
    ...{ keys, now, storage, path: addresses.uploads },
    ...{ records: metadata.uploads, files: metadata.files },
    transfers: createTransfers(join(dataFolder, 'files', 'transfers')),
  })
  const { schema } = live.current()
  const [kind = ''] = schema.engine.split(' ', 1)
  const database = { name: schema.name, kind }
  return {
    source,
    dataFolder,
    addresses,
    url,
    keys,
    recordKeys,
    client,
    renderer,
    metadata,
    live,
    policy,
    changes,
    corrections,
    door,
    hasWritten: (actor: Actor) => writers.has(actor),
    ledger,
    historyDays,
    hooks,
    jobs,
    newId,
    storage,
    uploads,
    database,
    realtime,
    now,
  }
}

async function openStorage(options: AdminOptions): Promise<Storage> {
  const { dataFolder, now = Date.now, log = () => undefined } = options
  const s3 = readS3Settings(options)
  return s3 ? createS3Storage({ ...s3, now, log }) : createDiskStorage(join(dataFolder, 'files'))
}

function originUrl(text: string): URL {
  const url = new URL(text)
  if (url.href === `${url.origin}/`) return url
  throw new Error(
    `The url [${text}] is not like https://admin.example.org; a path of it belongs in \`prefix\`.`,
  )
}
