import { expect, test } from 'vitest'
import type { SaveResult } from '../../src/protocol/form-view.ts'
import type { Actor } from '../../src/server/actor.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { RowChange, Unit } from '../../src/table/source/write-unit.ts'
import { type Chance, chanceOf } from '../simulator/chance.ts'
import { sourceWith } from '../source-with.ts'
import { EDITED_PAIRS, isPlain, SEED, within } from '../tier.ts'
import { createEdited, storedTexts, typedTexts, writeOutside } from './edited-rows.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { HISTORIES, openChanges } from './opened-changes.ts'
import { clashesOf, type HeldRow, lostIn, savedInto, wrongAnswer } from './told-clashes.ts'
import { type Editing, type Session, startEditing } from './two-people.ts'

/** Rows that are edited at once, each by two people. */
const ROWS = 4

const person = (id: string, name: string): Actor => ({
  ...{ id, name, email: `${id}@example.org`, role: 'admin' },
})
const PEOPLE = [person('ana', 'Ana'), person('bo', 'Bo')] as const

/** Two who save one row at the same moment: neither writes before both have read it. */
class Meetings {
  readonly #awaited = new Map<number, Set<string>>()
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>()

  begin(row: number): void {
    this.#awaited.set(row, new Set(PEOPLE.map(({ id }) => id)))
    this.#waiting.set(row, Promise.withResolvers())
  }

  /** Resolves at once where nobody meets. */
  async arrive(row: number, id: string): Promise<void> {
    const awaited = this.#awaited.get(row)
    awaited?.delete(id)
    if (awaited?.size === 0) this.#waiting.get(row)?.resolve()
    await this.#waiting.get(row)?.promise
  }
}

type Sabotage = 'none' | 'nothing is expected of rows' | 'nothing was seen'

const meeting =
  (meetings: Meetings, sabotage: Sabotage) =>
  (source: RowSource): RowSource =>
    sourceWith(source, {
      async write(unit, run) {
        const [row] = unit.parts[0]?.rows ?? []
        if (row && 'update' in row)
          await meetings.arrive(Number(row.update[0]), unit.entry?.by.id ?? '')
        return source.write(sabotage === 'nothing is expected of rows' ? careless(unit) : unit, run)
      },
    })

const careless = (unit: Unit): Unit => ({
  ...unit,
  parts: unit.parts.map(({ rows = [], ...part }) => ({ ...part, rows: rows.map(withoutExpect) })),
})

const withoutExpect = (row: RowChange): RowChange =>
  'update' in row ? { update: row.update, set: row.set } : row

async function editInPairs(
  place: MetadataPlace,
  { isBeside, pairs, sabotage = 'none' }: { isBeside: boolean; pairs: number; sabotage?: Sabotage },
) {
  await createEdited(place, ROWS)
  const meetings = new Meetings()
  const editing = await openChanges(place, { isBeside, wrap: meeting(meetings, sabotage) })
  const found = { faults: new Array<string>(), told: 0, merged: 0, met: 0 }

  async function editRow(id: number, chance: Chance): Promise<void> {
    let held: HeldRow = new Map(
      Object.entries(await storedTexts(place, id)).map(([name, text]) => [
        name,
        { text, by: null },
      ]),
    )
    let outside = 0
    for (let pair = 0; pair < pairs / ROWS; pair++) {
      const sessions = startPair(editing, String(id), chance)
      const authors = new Set<string>()
      for (;;) {
        const [first, ...others] = sessions.filter((one) => !one.isDone())
        if (!first) break
        if (chance.happens(0.04)) {
          const text = `outside ${++outside}`
          await writeOutside(place, id, text)
          held = new Map([...held, ['label', { text, by: null }]])
        }
        const one = chance.pick([first, ...others])
        if (!one.isReady()) await one.go()
        else {
          const meet = sessions.every((other) => other.isReady()) && chance.happens(0.6)
          if (meet) {
            meetings.begin(id)
            found.met++
          }
          held = await saveAll(meet ? sessions : [one], held, id, authors)
        }
      }
      if (authors.size > 1) found.merged++
      found.faults.push(...lostIn(held, await storedTexts(place, id)))
    }
  }

  /** Saves what these have typed, at once, and judges the answers; returns what the row holds then. */
  async function saveAll(
    sessions: readonly Session[],
    before: HeldRow,
    id: number,
    authors: Set<string>,
  ): Promise<HeldRow> {
    const answered = await Promise.all(
      sessions.map(async (session) => {
        const edits = session.edits()
        const known = Object.keys(edits.texts).map((name) => [name, before.get(name)?.text ?? null])
        const seen = sabotage === 'nothing was seen' ? Object.fromEntries(known) : edits.seen
        const result = await session.save(seen)
        await meetings.arrive(id, session.actor.id)
        return { asked: { by: session.actor.name, edits }, result }
      }),
    )
    let after = before
    const isSaved = ({ result }: { result: SaveResult }) => result.status === 'saved'
    for (const { asked, result } of answered.filter(isSaved)) {
      found.faults.push(...wrongAnswer([after], asked, result))
      after = savedInto(after, asked)
      authors.add(asked.by)
    }
    for (const { asked, result } of answered.filter((one) => !isSaved(one))) {
      found.faults.push(...wrongAnswer([before, after], asked, result))
      found.told += clashesOf(after, asked.edits).length
    }
    return after
  }

  const all = Array.from({ length: ROWS }, (_, at) => editRow(at + 1, chanceOf(SEED + at)))
  await Promise.all(all)
  return found
}

function startPair(editing: Editing, key: string, chance: Chance): Session[] {
  const typed = (isOne: boolean) => typedTexts(chance, isOne ? 1 : Infinity)
  return PEOPLE.map((actor) =>
    startEditing(editing, { actor, table: 'edited', key }, { chance, typed }),
  )
}

describeMetadata('two people who edit one row', (place) => {
  test.each(HISTORIES)(
    'lose nothing unasked, and are told whose change is in the way; the history is %s',
    { timeout: within(180_000) },
    async (_, isBeside) => {
      const found = await editInPairs(place(), { isBeside, pairs: EDITED_PAIRS / 2 })
      expect(found.faults.slice(0, 5)).toEqual([])
      for (const count of [found.told, found.merged, found.met])
        expect(count).toBeGreaterThan(EDITED_PAIRS / 40)
    },
  )
})

// What the proof says of the test above, it says for every engine.
describeMetadata(
  'two people of whom one is not heeded',
  (place) => {
    test.each(['nothing is expected of rows', 'nothing was seen'] as const)(
      'would lose something if %s',
      async (sabotage) => {
        const pairs = isPlain ? 80 : 400
        const { faults } = await editInPairs(place(), { isBeside: true, pairs, sabotage })
        expect(faults).not.toEqual([])
      },
    )
  },
  isPlain ? ['sqlite'] : undefined,
)
