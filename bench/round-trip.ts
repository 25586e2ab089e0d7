/** The whole update against a bare endpoint that asks the same question and answers JSON. */

import { DatabaseSync } from 'node:sqlite'
import autocannon from 'autocannon'
import fastify from 'fastify'
import { atLeast, type Figure, median } from './measure.ts'
import { type Site, updateBody } from './site.ts'

const ROUNDS = 7
const SECONDS = 3
const CONNECTIONS = 16

/** What a person would write by hand for this page: keys first, then the rows and their labels. */
const QUERY = `
  SELECT o.id, o.customer_id, o.status, o.total, o.placed_at, o.note, o.position, c.name
  FROM (SELECT id FROM orders WHERE placed_at <= ?1 AND (placed_at < ?1 OR id < ?2)
        ORDER BY placed_at DESC, id DESC LIMIT 51) AS k
  JOIN orders AS o ON o.id = k.id LEFT JOIN customers AS c ON c.id = o.customer_id
  ORDER BY o.placed_at DESC, o.id DESC`

async function bareEndpoint(file: string): Promise<{ origin: string; close(): Promise<void> }> {
  const statement = new DatabaseSync(file, { readOnly: true }).prepare(QUERY)
  const app = fastify()
  app.post('/', (_request, reply) =>
    reply.send({ rows: statement.all('2023-06-01 00:00:00', 500_000) }),
  )
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  return { origin, close: () => app.close() }
}

async function perSecond(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

export async function roundTrip(site: Site): Promise<Figure[]> {
  const page = await site.page('/tables/orders?size=50&sort=-placed_at')
  const body = updateBody(page, 'turnPage', 'next')
  const bare = await bareEndpoint(site.file)
  const headers = { ...site.headers, 'x-tablewire': '1' }
  const ratios: number[] = []
  const rates = { ours: [] as number[], bare: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    const theirs = await perSecond(bare.origin, {}, body)
    const ours = await perSecond(`${site.origin}/tablewire/update`, headers, body)
    rates.bare.push(theirs)
    rates.ours.push(ours)
    ratios.push(ours / theirs)
  }
  await bare.close()
  console.log(
    `  update ${Math.round(median(rates.ours))}/s, bare endpoint ${Math.round(median(rates.bare))}/s`,
  )
  return [atLeast('update round trip ÷ bare endpoint, requests a second', median(ratios), 0.8)]
}
