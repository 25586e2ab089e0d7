/** Compares a search with the better of walking the order's index and scanning the table. */

import type { Predicate } from '../src/table/source/predicate.ts'
import { everything } from '../src/table/source/predicate.ts'
import type { PageQuery } from '../src/table/source/row-source.ts'
import { atMost, type Figure, interleaved, median, reported, timed } from './measure.ts'
import { openRaw, type Raw } from './raw.ts'
import type { Site } from './site.ts'
import { systemActor } from './system-actor.ts'

const ROUNDS = 7
/** Rounds of statements that take longer than 5 s. */
const LONG_ROUNDS = 3
/** A walk may take this many times as long as the scan; beyond that, its exact time does not matter. */
const WALKED = 3
const run = { timeoutMs: 300_000 }

export async function search(site: Site): Promise<Figure[]> {
  const { access } = site.admin.catalog().open(systemActor, 'orders')
  const raw = await openRaw(site)
  const [[note]] = (await raw.all('select note from orders where id = 777')) as [[string]]
  const words = note.split(' ')
  const at = (text: string): PageQuery => ({
    columns: ['id', 'customer_id', 'status', 'total', 'placed_at', 'note', 'position'],
    where: { op: 'contains', column: 'note', text } satisfies Predicate,
    sort: [{ column: 'placed_at', descending: true }],
    size: 50,
    place: { at: 'first' },
  })
  const figures: Figure[] = []
  for (const [name, text, isRare] of [
    ['a frequent word', words[0]!, false],
    ['rare words', `${words[0]} ${words[1]}`, true],
    ['a word that is nowhere', 'zzqqzz', true],
  ] as const) {
    const scanned = () => raw.all(scan(raw, text))
    const scanMs = await time(scanned)
    const limitMs = Math.ceil(scanMs * WALKED)
    const walked = () => raw.walk(walk(raw, text), limitMs)
    // A walk that the server cancels is the worse way, however long it would have taken.
    const walkMs = await time(walked).catch(() => limitMs)
    const [better, best] = walkMs < scanMs ? ['walk', walked] : ['scan', scanned]
    const times = { ours: [] as number[], best: [] as number[] }
    const rounds = Math.min(walkMs, scanMs) > 5000 ? LONG_ROUNDS : ROUNDS
    for (let round = 0; round < rounds; round++) {
      times.ours.push(await time(() => site.source.page(access, at(text), run)))
      times.best.push(await time(best))
    }
    console.log(
      `  ${name}: ${median(times.ours).toFixed(0)} ms, ${better} ${median(times.best).toFixed(0)} ms; once: walk ${walkMs.toFixed(0)} ms, scan ${scanMs.toFixed(0)} ms`,
    )
    const ratio = median(times.ours.map((ours, round) => ours / times.best[round]!))
    const what = `search for ${name} ÷ better of walk and scan`
    figures.push(isRare ? atMost(what, ratio, 1.3) : reported(what, ratio))
  }
  figures.push(...(await withTrigrams(site, raw, at('zzqqzz'))))
  await raw.close()
  return figures
}

const time = async (work: () => Promise<unknown>): Promise<number> => (await timed(1, work))[0]!

/** Tablewire's own condition: ignores letter case, but not accents, whatever the collation. */
const like = ({ kind }: Raw, text: string): string =>
  kind === 'mysql'
    ? `locate('${text}', lower(convert(note using utf8mb4) collate utf8mb4_bin)) > 0`
    : `note ${kind === 'postgres' ? 'ilike' : 'like'} '%${text}%'`

const COLUMNS = 'id, customer_id, status, total, placed_at, note, position'

/** Follows the order's index until there are enough rows. */
const walk = (raw: Raw, text: string): string =>
  `select ${COLUMNS} from orders ${raw.kind === 'mysql' ? 'force index (orders_placed_at)' : raw.kind === 'sqlite' ? 'indexed by orders_placed_at' : ''}
    where ${like(raw, text)} order by placed_at desc, id desc limit 50`

/** Finds all matches first, then the newest of them. */
const scan = (raw: Raw, text: string): string =>
  raw.kind === 'postgres'
    ? `with hits as materialized (select ${COLUMNS} from orders where ${like(raw, text)})
        select * from hits order by placed_at desc, id desc limit 50`
    : `select ${COLUMNS} from orders ${raw.kind === 'mysql' ? 'ignore index (orders_placed_at, orders_placed_at_total)' : 'not indexed'}
        where ${like(raw, text)} order by placed_at desc, id desc limit 50`

/** Only PostgreSQL has an index for parts of words; it is created here and dropped again. */
async function withTrigrams(site: Site, raw: Raw, query: PageQuery): Promise<Figure[]> {
  if (raw.kind !== 'postgres') return []
  await raw.all('create extension if not exists pg_trgm')
  await raw.all('create index bench_trigrams on orders using gin (note gin_trgm_ops)')
  try {
    await site.source.describe()
    const { access } = site.admin.catalog().open(systemActor, 'orders')
    const { where: _, ...first } = query
    const times = await interleaved(21, {
      first: () => site.source.page(access, { ...first, where: everything }),
      none: () => site.source.page(access, query, run),
    })
    console.log(
      `  trigrams: first page ${times.first.toFixed(2)} ms, no hit ${times.none.toFixed(2)} ms`,
    )
    return [atMost('search without hits by trigrams ÷ first page', times.none / times.first, 3)]
  } finally {
    await raw.all('drop index bench_trigrams')
  }
}
