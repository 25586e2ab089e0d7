/** The server of an admin: the routes for updates, pages, files and health, and the mounts. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { messagesFor } from '../../messages/messages.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { createHttp, type HttpOptions, refuseUnknown, servePages } from '../../server/http/http.ts'
import { refuseOtherHosts } from '../../server/http/own-host.ts'
import type { Reader } from '../../server/http/locale.ts'
import { laterAnswers } from '../../server/lifecycle/later.ts'
import { sentViews } from '../../server/lifecycle/sent-views.ts'
import { sharedViews } from '../../server/lifecycle/shared-views.ts'
import { createRefusalLog } from '../../server/http/refusal-log.ts'
import type { SharedScope } from '../../server/http/scope-of.ts'
import { createTurns } from '../../server/turns.ts'
import { addUpdateRoute } from '../../server/update/update-route.ts'
import { createThumbnails } from '../../server/upload/thumbnails.ts'
import { createRemoteFetch } from '../../server/upload/remote-fetch.ts'
import { addUploadRoutes } from '../../server/upload/upload-route.ts'
import { sweepUploads } from '../../server/upload/uploads.ts'
import { actorSource } from '../../table/actor-source.ts'
import type { Catalog } from '../../table/catalog.ts'
import { sweepFiles } from '../../table/files/sweep-files.ts'
import { formatterFor } from '../../table/format.ts'
import { ACCOUNT_LIMITS } from '../accounts/accounts.ts'
import { addExportRoute } from '../export-route.ts'
import { addFileRoute } from '../file-route.ts'
import { addHealthRoutes } from '../health.ts'
import { createMounts, type Mounts, type UpgradeRequests } from '../mounts/mounts.ts'
import { createErrorPage } from '../pages/error-page.ts'
import { limitPages } from '../pages/page-limit.ts'
import { addLookingRoutes } from '../pages/looking-routes.ts'
import { addCorrectionsRoutes } from '../pages/corrections-routes.ts'
import { addPages } from '../pages/page-routes.ts'
import { createPageSender } from '../pages/page-sender.ts'
import { addRecordForms } from '../pages/record-forms.ts'
import { addYouRoutes } from '../pages/you-routes.ts'
import { tellOfJobs } from '../realtime/job-channel.ts'
import { addRealtime, type Realtime } from '../realtime/realtime.ts'
import { socketOriginOf } from '../realtime/realtime-settings.ts'
import { addSignInRoutes } from '../sign-in/sign-in-routes.ts'
import type { AdminOptions } from './admin-options.ts'
import { documentReaders } from './document-readers.ts'
import { featuresOf } from './features.ts'
import type { Foundation } from './foundation.ts'
import type { Parts } from './parts.ts'
import type { People } from './people.ts'

/** Returns an application that is ready; it need not listen. */
export async function createServer(
  foundation: Foundation,
  people: People,
  parts: Parts,
  options: AdminOptions,
): Promise<{ app: FastifyInstance; mounts: Mounts; realtime: Realtime }> {
  const {
    addresses,
    door,
    keys,
    client,
    ledger,
    metadata,
    live,
    source,
    storage,
    url,
    uploads,
    now,
  } = foundation
  const { visitors } = people
  const { provider } = foundation.realtime
  const { log, trustProxy, requestsPerMinute, forgeriesPerMinute } = options
  const guard = { keys, visitors, origin: url?.origin }
  const onMistake = log && logOnce(log)
  const refusals = createRefusalLog(log && ((line) => log(line)))
  const services = (actor: Actor) => ({
    source: actorSource({ source, catalog: live.current, door }, actor, onMistake),
  })
  const turns = createTurns()
  const shared: SharedScope = {
    build: client.version,
    process: randomBytes(6).toString('base64url'),
    keys,
    components: parts.components,
    writes: metadata.idempotency,
    running: new Map(),
    later: laterAnswers(),
    turns,
    views: sharedViews(),
    sent: sentViews(),
    services,
    uploads,
    refreshing: (actor) => live.current().refreshing(actor),
    publish: (broadcast, except) => realtime.publish(broadcast, except),
    wrote: (actor, by) => realtime.wrote(foundation.hasWritten(actor), by),
    dataVersion: () => source.dataVersion().catch(() => undefined),
    ...(log && { report: (error: unknown) => log('A part of an update failed.', error) }),
  }
  const pages = createPageSender({
    shared,
    client,
    metadata,
    addresses,
    render: foundation.renderer.render,
    shell: () => parts.shell.with(),
    anonymous: people.signIn.anonymous,
    takeNotice: people.cookies.takeNotice,
    setReader: people.cookies.setReader,
    // A host that uses `Request` and `Response` passes no sockets on; those of another server need none.
    realtime: ({ raw }) =>
      !provider && people.hostRequests.get(raw) instanceof Request ? null : realtime.address(),
    host: url?.host,
    database: foundation.database.name,
  })
  const readers = documentReaders(visitors, addresses)
  const { direct } = foundation.storage
  const connected = [
    ...(provider ? [socketOriginOf(provider)] : []),
    ...(direct ? [direct.origin] : []),
  ]
  const http: HttpOptions = {
    client,
    errorPage: createErrorPage(pages, visitors, addresses),
    refusals,
    readerCookie: people.cookies.readerName,
    strictTransport: url?.protocol === 'https:' && addresses.prefix === '',
    features: featuresOf(live.current, readers.actorOf, parts.pages, connected),
    ...(log && { log }),
    ...(trustProxy !== undefined && { trustProxy }),
  }
  const app = await createHttp(http)
  app.addHook('onClose', async () => refusals.flush())
  const upgrades: UpgradeRequests = new WeakMap()
  const mounts = createMounts(app, addresses, people.hostRequests, upgrades)
  app.server.on('upgrade', (request, socket, head) => {
    if (!mounts.upgrade(request, socket, head)) socket.destroy()
  })
  if (options.hosts) refuseOtherHosts(app, options.hosts, [addresses.health, addresses.ready])
  refreshFirst(app, foundation)
  addUpdateRoute(app, {
    ...shared,
    assets: { version: client.version },
    path: addresses.update,
    now,
    guard,
    ...(requestsPerMinute !== undefined && { perMinute: requestsPerMinute }),
    ...(forgeriesPerMinute !== undefined && { forgeriesPerMinute }),
  })
  const { fetchFrom = [] } = options
  const remote = fetchFrom.length > 0 ? createRemoteFetch({ hosts: fetchFrom }) : undefined
  addUploadRoutes(app, { guard, uploads, turns, now, remote, path: addresses.uploads })
  const files = { files: metadata.files, storage, source, catalog: live.current, now }
  app.addHook(
    'onClose',
    sweepUploads(
      async () => {
        const holding = ledger && { holding: (texts: readonly string[]) => ledger.holding(texts) }
        const done = await Promise.allSettled([
          uploads.sweep(),
          sweepFiles({ ...files, ...holding }),
        ])
        for (const one of done) if (one.status === 'rejected') throw one.reason
      },
      (error) => {
        if (error instanceof AppError) refusals.note(error, 'sweep of uploads')
        else log?.('Old uploads were not removed.', error)
      },
    ),
  )
  // What is missing is logged now, and not only when the first file is sent.
  if (url) void direct?.takesFrom(url.origin)
  const thumbnails = createThumbnails({ folder: join(options.dataFolder, 'thumbnails'), log })
  const shown = { visitors, source, storage, thumbnails, addresses, now }
  addFileRoute(app, { ...shown, catalog: live.current })
  const realtime = await addRealtime(app, foundation, {
    ...{ visitors, guard, services, upgrades, log },
    stillSignedIn: people.signIn.stillSignedIn,
    channels: parts.channels,
    env: options.env ?? {},
  })
  const stopTelling = tellOfJobs(foundation.jobs, (broadcast) => realtime.publish(broadcast))
  app.addHook('preClose', async () => stopTelling())
  const stopRedrawing = foundation.corrections.onChange(() => realtime.redrawn())
  app.addHook('preClose', async () => stopRedrawing())
  await app.register(async (part) => {
    part.addHook('onRequest', readers.look)
    await servePages(part, http)
    limitPages(
      part,
      { visitors, browsers: people.browsers, addresses, turns, now },
      requestsPerMinute,
    )
    refuseUnknown(part)
    addPages(part, { addresses, visitors, pages }, parts.pages)
    addRecordForms(part, {
      ...{ source, door, ledger, addresses, guard, pages, refusals, now },
      ...{ catalog: live.current, href: addresses.list, cookies: people.cookies },
      ...{ recordPage: parts.recordPage, newRecordPage: parts.newRecordPage, writes: shared },
      plans: metadata.plans,
      wrote: (actor) => realtime.wrote(foundation.hasWritten(actor)),
    })
    addLookingRoutes(part, {
      ...{ addresses, guard, looking: people.looking, cookies: people.cookies },
      roles: options.roles ?? {},
    })
    addExportRoute(part, {
      catalog: live.current,
      ...{ source, addresses, guard, now, stillSignedIn: people.signIn.stillSignedIn },
      plans: metadata.plans,
      ...(log && { log }),
    })
    addCorrectionsRoutes(part, { ...parts.corrections, guard, pages, refusals })
    addYouRoutes(part, {
      ...{ ...parts.you, addresses, guard, pages, refusals },
      ...{ cookies: people.cookies, browsers: people.browsers },
    })
    if (people.hasOwnAccounts)
      addSignInRoutes(part, {
        ...people,
        ...{ addresses, guard, pages, refusals, preferences: metadata.preferences },
        facts: (reader) => factsOf(live.current(), source.writing?.isAllowed() ?? true, reader),
      })
    addHealthRoutes(part, foundation)
    await options.extend?.(part)
  })
  await app.ready()
  return { app, mounts, realtime }
}

/** Refreshes the catalog before other hooks: the content policy depends on the tables. */
function refreshFirst(app: FastifyInstance, { live }: Foundation): void {
  app.addHook('onRequest', (_request, _reply, done) => {
    const refreshed = live.refresh()
    if (refreshed) refreshed.then(() => done(), done)
    else done()
  })
}

/** How many sentences about mistakes are logged: names of tables may come from requests. */
const MISTAKES_LOGGED = 20

/** Logs each sentence once. */
function logOnce(log: (line: string) => void): (sentence: string) => void {
  const logged = new Set<string>()
  return (sentence) => {
    if (logged.has(sentence) || logged.size >= MISTAKES_LOGGED) return
    logged.add(sentence)
    log(sentence)
  }
}

const HOUR_MS = 60 * 60 * 1000

/** Facts about the database, shown beside the sign-in forms. */
function factsOf({ schema }: Catalog, isWritable: boolean, reader: Reader) {
  const { facts } = messagesFor(reader.language)
  const hours = (ms: number) => ({
    count: ms / HOUR_MS,
    text: formatterFor(reader).number(ms / HOUR_MS),
  })
  const { idleMs, absoluteMs } = ACCOUNT_LIMITS
  return [
    { label: facts.database, value: `${schema.name}, ${schema.engine}` },
    { label: facts.access, value: isWritable ? facts.accessWrite : facts.accessReadOnly },
    { label: facts.session, value: facts.sessionText(hours(idleMs), hours(absoluteMs)) },
  ]
}
