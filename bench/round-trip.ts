/** Compares an update request with a bare endpoint that runs the same query and returns JSON. */

import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import fastify from 'fastify'
import { atLeast, type Figure, median, reported } from './measure.ts'
import { createAddresses } from '../src/admin/addresses.ts'
import { encodeAnchor } from '../src/table/list/anchor.ts'
import { createChangeDoor } from '../src/table/changes/door.ts'
import { createListComponent } from '../src/table/list/component.ts'
import type { ListState } from '../src/table/list/concerns.ts'
import { createTotals } from '../src/table/list/totals.ts'
import type { TableView } from '../src/protocol/table-view.ts'
import type { UpdateRequest, UpdateResponse } from '../src/protocol/wire.ts'
import { everything } from '../src/table/source/predicate.ts'
import { startSender } from './requests.ts'
import { type Site, updateBody } from './site.ts'
import { uploadsFor } from '../src/server/upload/component-uploads.ts'
import { actorSource } from '../src/table/actor-source.ts'
import { systemActor } from './system-actor.ts'

/** Many short turns: a machine's speed drifts, and each ratio compares neighbouring turns. */
const ROUNDS = 40
const TURN_MS = 500
const WARM_UP_MS = 3000
const CONNECTIONS = 16
/** How often to ask whether the rows are counted, ms. */
const COUNT_MS = 50

/** A good hand-written query for this page: keys first, then the rows and their labels. */
const QUERY = `
  SELECT o.id, o.customer_id, o.status, o.total, o.placed_at, o.note, o.position, c.name
  FROM (SELECT id FROM orders WHERE placed_at <= ?1 AND (placed_at < ?1 OR id < ?2)
        ORDER BY placed_at DESC, id DESC LIMIT 51) AS k
  JOIN orders AS o ON o.id = k.id LEFT JOIN customers AS c ON c.id = o.customer_id
  ORDER BY o.placed_at DESC, o.id DESC`

/**
 * Pages spread over the whole table, so that neither side reads the same rows again and again. If all
 * request one page, cached values help both sides, and the protocol weighs more.
 */
const PLACES = 200

/**
 * Two endpoints for comparison. `/statement` is hand-written: it returns the rows of one prepared
 * statement. `/view` returns the same JSON as the update, from the row source and the view, so that the
 * difference is the protocol: verify, authorize, encode, sign.
 */
async function bareEndpoint(
  site: Site,
  listed: ListState,
): Promise<{ origin: string; close(): Promise<void> }> {
  const statement = new DatabaseSync(site.database, { readOnly: true }).prepare(QUERY)
  const door = createChangeDoor({
    ...{ source: site.source, catalog: site.admin.catalog, now: Date.now },
    newId: () => crypto.randomUUID(),
  })
  const list = createListComponent({
    source: site.source,
    catalog: site.admin.catalog,
    totals: createTotals(site.source),
    door,
    href: createAddresses().list,
  })
  const app = fastify()
  app.post('/statement', (request, reply) => {
    const [placedAt, id] = (request.body as Turn).anchor
    return reply.send({ rows: statement.all(placedAt, id) })
  })
  app.post('/view', async (request) => {
    const { number, ...turn } = request.body as Turn
    const [placedAt, id] = turn.anchor
    const anchor = encodeAnchor({ sort: [placedAt], key: [id] })
    const state = { ...listed, place: { at: 'after', number, anchor } as const }
    const { signal } = new AbortController()
    const params = { table: 'orders' }
    const source = actorSource(
      { source: site.source, catalog: site.admin.catalog, door },
      systemActor,
    )
    const opened = await list.open({ actor: systemActor, params, source, signal })
    const reader = { locale: 'en-US', language: 'en' }
    const uploads = uploadsFor(undefined, { user: systemActor.id, lineage: '', component: '' })
    const who = { actor: systemActor, lineage: '' }
    const given = { ...who, source, params, opened, path: '/', signal, uploads }
    const { data, state: next } = await list.load({ ...given, ...reader, state })
    return list.view({ state: { ...state, ...next }, data, params, opened, ...reader })
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, close: () => app.close() }
}

/** The bodies of the update requests, as the client would send them. */
async function bodies(site: Site, rows: number): Promise<string[]> {
  const made: string[] = []
  for (let at = 0; at < PLACES; at++) {
    const number = 1 + ((at * 7919) % Math.floor(rows / 50))
    const page = await site.page(`/tables/orders?size=50&sort=-placed_at&page=${number}`)
    made.push(updateBody(page, 'turnPage', 'next'))
  }
  return made
}

/** The state in a body's snapshot. */
const stateOf = (body: string) => {
  const { components } = JSON.parse(body) as UpdateRequest
  const { data } = JSON.parse(components[0]!.snapshot) as {
    data: ListState & { shown: { last: string } }
  }
  return data
}

/** A page turn: the row after which the page begins, and the page's number. */
type Turn = { anchor: [placedAt: string, id: number]; number: number | null }

/** The page turn that a body of ours asks for. */
function turnOf(body: string): Turn {
  const { shown, place } = stateOf(body)
  const [[placedAt], [id]] = JSON.parse(Buffer.from(shown.last, 'base64url').toString()) as [
    [string],
    [number],
  ]
  return { anchor: [placedAt, id], number: place.number && place.number + 1 }
}

/** Both endpoints draw the same rows and the same places, so that only the protocol is compared. */
async function compareViews(site: Site, bare: string, ours: string, theirs: string): Promise<void> {
  const drawn = await counted(async () => {
    const { components } = JSON.parse(await site.update(ours)) as UpdateResponse
    return components[0]!.effects.view as unknown as TableView
  })
  const { rows, page } = await counted(async () => {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${bare}/view`, { method: 'POST', headers, body: theirs })
    return (await response.json()) as TableView
  })
  assert.deepEqual({ rows, page }, { rows: drawn.rows, page: drawn.page })
}

/** Asks until the rows are counted: before, a view says only about how many there are. */
async function counted(ask: () => Promise<TableView>): Promise<TableView> {
  for (;;) {
    const view = await ask()
    if (view.total.kind === 'exact') return view
    await setTimeout(COUNT_MS)
  }
}

export async function roundTrip(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const rows = (await site.source.count(access, everything, { timeoutMs: 120_000 })).count
  const ours = await bodies(site, rows)
  // The same number of bytes for both, so that reading and parsing a body costs the same.
  const theirs = ours.map((body) => JSON.stringify({ ...turnOf(body), body }))
  // The same columns, too: those of an order are shown only where the state says so.
  const bare = await bareEndpoint(site, stateOf(ours[0]!))
  await compareViews(site, bare.origin, ours[0]!, theirs[0]!)
  const update = {
    url: `${site.origin}/tablewire/update`,
    headers: { ...site.headers, 'x-tablewire': '1' },
  }
  const view = { url: `${bare.origin}/view`, headers: {} }
  const sender = startSender({
    statement: { url: `${bare.origin}/statement`, headers: {}, bodies: theirs },
    update: { ...update, bodies: ours },
    view: { ...view, bodies: theirs },
    updateOfOnePage: { ...update, bodies: ours.slice(0, 1) },
    viewOfOnePage: { ...view, bodies: theirs.slice(0, 1) },
  })
  const rates = {
    statement: [] as number[],
    update: [] as number[],
    view: [] as number[],
    updateOfOnePage: [] as number[],
    viewOfOnePage: [] as number[],
  }
  const turns = Object.entries(rates)
  for (const [name] of turns) await sender.rate(name, WARM_UP_MS, CONNECTIONS)
  for (let round = 0; round < ROUNDS; round++)
    // In alternating order, so that each is as often before the others as after them.
    for (const [name, list] of round % 2 === 0 ? turns : turns.toReversed())
      list.push(await sender.rate(name, TURN_MS, CONNECTIONS))
  await sender.close()
  await bare.close()
  for (const [name, list] of turns) console.log(`  ${name} ${Math.round(median(list))}/s`)
  const ratio = (ours: keyof typeof rates, theirs: keyof typeof rates) =>
    median(rates[ours].map((rate, round) => rate / rates[theirs][round]!))
  const same = 'update ÷ endpoint with the same query and JSON, requests a second'
  return [
    atLeast(`${same}, pages everywhere`, ratio('update', 'view'), 0.8),
    reported(`${same}, one page`, ratio('updateOfOnePage', 'viewOfOnePage')),
    reported(
      'update ÷ a prepared statement by hand, requests a second',
      ratio('update', 'statement'),
    ),
  ]
}
