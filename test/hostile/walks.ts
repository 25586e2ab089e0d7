/** Walks through a listing that try to see what is hidden, and what an onlooker reads of them. */

import fc from 'fast-check'
import type { PageData } from '../../src/protocol/page.ts'
import { exportBy, type Part, textOf, update, visit } from './requests.ts'
import { judge } from './oracle.ts'
import type { Answer, HostileRequest, Person, Target } from './target.ts'
import { SAMPLED_COLUMNS } from './sampled-worlds.ts'
import { HIDDEN_WORDS } from './worlds.ts'

type Step = Omit<Part, 'snapshot'>

/** Fields of the form that exports a list. */
type ExportFields = readonly [string, string][]

/** A page that is opened, and what is done on it; a list may be exported, too. */
export type Walk = {
  readonly url: string
  readonly html: boolean
  readonly steps: readonly Step[]
  readonly exported?: ExportFields | null | undefined
}

/** Columns by table, what is hidden among them, and one that is not there. */
export type WalkedTables = Readonly<Record<string, readonly string[]>>

const TABLES: WalkedTables = {
  ...SAMPLED_COLUMNS,
  people: ['id', 'name', 'salary', 'hired_on', 'diagnosis', 'grade', 'team_id', 'nothing'],
  notes: ['id', 'position', 'title', 'body', 'visible', 'person_id', 'team_id', 'nothing'],
  teams: ['id', 'name', 'budget', 'region', 'nothing'],
  reviews: ['id', 'name', 'payroll_id', 'score', 'due_on', 'nothing'],
  payroll: ['id', 'person_id', 'amount'],
  nowhere: ['id'],
}

const WORDS = [
  ...HIDDEN_WORDS,
  ...['person 0', 'note 1', 'team', 'north', 'south', '2012', '30000', '63', '7', '1', 'review'],
  ...['2026', 'example.org', '#0b', 'done', 'long remark', '2026-03-12', '2'],
]
const word = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.nat(99_999).map(String),
  fc
    .constantFrom(...HIDDEN_WORDS)
    .chain((text) => fc.nat(text.length).map((end) => text.slice(0, end))),
)

const filterPart = fc.constantFrom('', '.in', '.notIn', '.min', '.max', '.text', '.is', '.empty')

/** Values of filters of every form. */
const filterValue = fc.oneof(
  word.map((text) => ({ in: [text] })),
  word.map((text) => ({ notIn: [text] })),
  word.map((text) => ({ test: 'starts', text })),
  word.map((text) => ({ test: 'contains', text, not: true })),
  fc.tuple(fc.nat(99_999), fc.nat(99_999)).map(([min, max]) => ({ min, max })),
  fc.constant({ minDate: '2012-01-01', maxDate: '2026-06-30' }),
  fc.constantFrom({ empty: true }, { empty: false }, { is: 'yes' }, { is: 'unset' }),
)

/** Filters by the rows of tables that refer to the one that is shown. */
const RELATED = ['~notes~person_id', '~people~team_id', '~payroll~person_id', '~parts~maker_id']

/** What may be asked of a table with these columns in its address. */
const parametersOf = (column: fc.Arbitrary<string>) =>
  fc
    .record(
      {
        search: word,
        sort: fc
          .array(fc.tuple(fc.constantFrom('', '-'), column), { minLength: 1, maxLength: 2 })
          .map((parts) => parts.map(([sign, name]) => sign + name).join()),
        columns: fc.array(column, { minLength: 1, maxLength: 3 }).map((names) => names.join()),
        size: fc.constantFrom('25', '50', '100'),
        page: fc.constantFrom('1', '2', '3', '9', 'last'),
        filter: fc.tuple(column, filterPart, word),
      },
      { requiredKeys: [] },
    )
    .map(({ filter, ...query }): Record<string, string> => {
      const [name, part, value] = filter ?? []
      return { ...query, ...(name !== undefined && { [`filter.${name}${part}`]: value ?? '' }) }
    })

const callOf = (method: string) => (params: readonly unknown[]) => ({ calls: [{ method, params }] })

/** Rows that may be seen, rows that may not, and keys of none. */
const keys = fc.array(fc.nat(130).map(String), { maxLength: 12 })
const selected = fc.oneof(
  keys,
  keys.map((except) => ({ except })),
)

const stepOf = (column: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.oneof(
    word.map((search) => ({ updates: { search } })),
    fc.tuple(column, fc.boolean()).map(callOf('sortBy')),
    fc.tuple(fc.constantFrom('first', 'previous', 'next', 'last')).map(callOf('turnPage')),
    fc.tuple(fc.option(fc.array(column, { maxLength: 4 }))).map(callOf('setColumns')),
    fc.tuple(fc.array(column, { maxLength: 3 })).map(callOf('pinColumns')),
    fc.tuple(fc.dictionary(column, fc.integer({ min: 40, max: 400 }))).map(callOf('setWidths')),
    fc.constant([]).map(callOf('total')),
    fc
      .tuple(column, filterValue)
      .map(([name, value]) => ({ updates: { [`filterComponents.${name}`]: value } })),
    fc
      .tuple(
        fc.constantFrom(...RELATED),
        fc.constantFrom('some', 'none', 'every'),
        column,
        filterValue,
      )
      .map(([key, rows, filter, value]) => ({
        updates: {
          [`filterComponents.${key}`]: { rows, where: { join: 'and', of: [{ filter, value }] } },
        },
      })),
    fc.tuple(column).map(callOf('facets')),
    fc.tuple(column, word).map(callOf('findRelated')),
    fc.tuple(column).map(callOf('bounds')),
    fc.constantFrom(...RELATED).map((key) => callOf('relatedOffers')([key])),
    fc
      .tuple(fc.nat(60).map(String), column, fc.constantFrom('in', 'notIn'))
      .map(callOf('filterByCell')),
    fc.tuple(fc.array(fc.nat(60).map(String), { maxLength: 3 })).map(callOf('rowsByKey')),
    fc.tuple(fc.nat(60).map(String)).map(callOf('peek')),
    fc.tuple(fc.nat(60).map(String)).map(callOf('peekRelated')),
    fc.tuple(fc.nat(60).map(String), column).map(callOf('peekWhole')),
    fc.constantFrom('setAllSelected', 'clearSelected').map((method) => callOf(method)([])),
    selected.map((rows) => ({ updates: { selected: rows } })),
    selected.map((rows) => callOf('selectedCount')([rows])),
    fc
      .tuple(selected, fc.array(column, { maxLength: 3 }))
      .map(([rows, columns]) => callOf('selectedSums')([rows, columns])),
  )

const exportFields = fc
  .tuple(selected, fc.constantFrom('shown', 'all'))
  .map(([rows, columns]): ExportFields => [
    ['selected', JSON.stringify(rows)],
    ['columns', columns],
  ])

export const walksOf = (tables: WalkedTables): fc.Arbitrary<Walk> =>
  fc.constantFrom(...Object.entries(tables)).chain(([table, columns]) => {
    const column = fc.constantFrom(...columns)
    return fc.record({
      url: parametersOf(column).map(
        (query) => `/tables/${table}?${new URLSearchParams(query).toString()}`,
      ),
      html: fc.nat(9).map((n) => n === 0),
      steps: fc.array(stepOf(column), { maxLength: 5 }),
      exported: fc.option(exportFields, { freq: 1 }),
    })
  })

export const walks = walksOf(TABLES)

/** Rows by their keys, come to from any list; and lists of what refers to one. */
export const recordWalksOf = (tables: WalkedTables): fc.Arbitrary<Walk> =>
  fc.constantFrom(...Object.entries(tables)).chain(([table, columns]) => {
    const column = fc.constantFrom(...columns)
    return fc.record({
      url: fc.oneof(
        fc
          .tuple(fc.nat(125), parametersOf(column))
          .map(
            ([key, query]) =>
              `/tables/${table}/records/${key}?from=${encodeURIComponent(String(new URLSearchParams(query)))}`,
          ),
        fc
          .tuple(column, fc.nat(20))
          .map(([name, value]) => `/tables/${table}?filter.${name}=${value}`),
      ),
      html: fc.nat(9).map((n) => n === 0),
      steps: fc.array(fc.constant([]).map(callOf('refresh')), { minLength: 1, maxLength: 2 }),
    })
  })

export const recordWalks = recordWalksOf(TABLES)

/** What an onlooker sees of a walk: every answer, but for what differs each time. */
export type Sight = { readonly seen: readonly string[]; readonly wrong: readonly string[] }

const ALLOWED = [200, 404, 422]

export async function take(target: Target, person: Person, walk: Walk): Promise<Sight> {
  const seen: string[] = []
  const wrong: string[] = []
  const look = async (request: HostileRequest): Promise<Answer> => {
    const answer = await target.send(request)
    const allowed = answer.headers['content-security-policy'] ?? ''
    seen.push(`${answer.status} ${withoutSecrets(`${allowed}\n${answer.body}`, person)}`)
    wrong.push(...judge(answer, request, ALLOWED, target.secrets), ...hiddenWords(answer, request))
    return answer
  }
  if (walk.html) await look(visit(person, walk.url, 'html'))
  const page = await look(visit(person, walk.url))
  let snapshot = page.status === 200 ? snapshotOf(JSON.parse(page.body) as PageData) : undefined
  for (const step of walk.steps) {
    if (snapshot === undefined) break
    const answer = await look(update(person, { snapshot, ...step }))
    if (answer.status === 200)
      snapshot = (JSON.parse(answer.body) as { components: [{ snapshot: string }] }).components[0]
        .snapshot
  }
  if (walk.exported) {
    // The limit on exports is not what is tested here.
    target.advance(10_000)
    await look(exportBy(person, walk.url.replace(/(?=\?|$)/, '/export'), walk.exported))
  }
  return { seen, wrong }
}

const snapshotOf = ({ components }: PageData) =>
  components.find(({ name }) => name === 'list' || name === 'record')?.snapshot

/** Hidden words, where the onlooker has not said them. */
function hiddenWords({ body }: Answer, request: HostileRequest): string[] {
  const asked = `${request.url ?? ''} ${textOf(request)}`.toLowerCase()
  return HIDDEN_WORDS.filter((hidden) => body.includes(hidden) && !asked.includes(hidden)).map(
    (hidden) => `shows ${hidden}`,
  )
}

/** Tokens, nonces, MACs and names of sessions are made afresh for everybody. */
export const withoutSecrets = (body: string, { id, session }: Person): string =>
  body
    .replaceAll(id, 'USER')
    .replaceAll(session.lineage, 'LINEAGE')
    .replace(/[\w-]{16}\.[\w-]{8}\.[\w-]{43}/g, 'TOKEN')
    .replace(/1\.[\w-]{8}\.[\w-]{43}/g, 'MAC')
    // A digest with a random part of each opening in it, as a MAC has its key. Servers that others
    // write to meanwhile leave it out.
    .replace(/,\\"reads\\":\\"[\w-]{22}\\"/g, '')
    .replace(/("process\W+)[\w-]{8}/g, '$1PROCESS')
    // Ids of changes hold the time and chance.
    .replace(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g, 'ENTRY')
    .replace(/nonce="[^"]*"|'nonce-[^']*'/g, 'NONCE')

/** Walks through two worlds side by side; says where an onlooker could tell them apart. */
export async function tellApart(
  [one, two]: readonly [Target, Target],
  role: 'viewer' | 'editor' | 'admin',
  walk: Walk,
): Promise<string[]> {
  let difference = ''
  let isCounting = false
  // A count that comes late in one world and not in the other tells nothing: it is there in the end.
  for (let attempt = 0; attempt < (isCounting ? 200 : 4); attempt++) {
    const [left, right] = [
      await take(one, one.people[role], walk),
      await take(two, two.people[role], walk),
    ]
    const wrong = [...left.wrong, ...right.wrong]
    if (wrong.length > 0) return wrong.map((text) => `${JSON.stringify(walk)}: ${text}`)
    const at = left.seen.findIndex((text, i) => text !== right.seen[i])
    if (at < 0) return []
    isCounting = left.seen[at]!.includes(COUNTING) !== right.seen[at]?.includes(COUNTING)
    difference = `${JSON.stringify(walk)}, answer ${at}: ${firstDifference(left.seen[at]!, right.seen[at] ?? '')}`
  }
  return [difference]
}

/** What a page says while its rows are being counted. */
const COUNTING = '"kind":"counting"'

function firstDifference(left: string, right: string): string {
  let at = 0
  while (at < left.length && left[at] === right[at]) at++
  return `…${left.slice(Math.max(0, at - 60), at + 60)}… / …${right.slice(Math.max(0, at - 60), at + 60)}…`
}
