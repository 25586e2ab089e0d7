/** What somebody does who edits a row in a form or a cell, step by step as their browser does it. */

import type { SaveResult } from '../../src/protocol/form-view.ts'
import type { Actor } from '../../src/server/actor.ts'
import { testComponent } from '../../src/server/component/test-component.ts'
import type { Catalog } from '../../src/table/catalog.ts'
import type { ChangeDoor } from '../../src/table/changes/door.ts'
import type { Ledger } from '../../src/table/changes/ledger.ts'
import { createCellsComponent } from '../../src/table/record/form/cells.ts'
import { createFormComponent } from '../../src/table/record/form/component.ts'
import type { RowSource } from '../../src/table/source/row-source.ts'
import {
  edited,
  type Edits,
  insisting,
  isContested,
  NO_EDITS,
  type Texts,
} from '../../src/ui/record/edits.ts'
import type { Chance } from '../simulator/chance.ts'

export type Editing = {
  readonly source: RowSource
  readonly catalog: Catalog
  readonly ledger: Ledger
  readonly door: ChangeDoor
}

/** Where somebody edits. */
type Place = {
  /** What the browser shows of a field. */
  shown(column: string): string | null
  /** What others have saved comes into the form. */
  look(): Promise<void>
  save(edits: Edits): Promise<SaveResult>
}

type Opened = { readonly actor: Actor; readonly table: string; readonly key: string }

const href = (table: string): string => `/tables/${table}`

async function openForm(editing: Editing, { actor, table, key }: Opened): Promise<Place> {
  const catalog = () => editing.catalog
  const form = createFormComponent({ ...editing, catalog, href, isLive: false })
  const params = { table, key, copyOf: null, preset: {} }
  const tester = await testComponent(form, { actor, params })
  return {
    shown: (column) => tester.view.fields.find(({ name }) => name === column)?.text ?? null,
    look: () => tester.refresh(),
    save: ({ texts, seen }) => tester.call.save(texts, seen, null),
  }
}

async function openCell(
  editing: Editing,
  { actor, table, key }: Opened,
  column: string,
): Promise<Place> {
  const cells = createCellsComponent({ ...editing, catalog: () => editing.catalog, href })
  const { call } = await testComponent(cells, { actor, params: { table } })
  const cell = await call.cell(key, column)
  if (cell.is === 'fixed') throw new Error(cell.why)
  let shown = cell.field.text
  return {
    shown: () => shown,
    // The editor of a cell learns from the answer to its save alone what others have saved.
    look: async () => undefined,
    async save({ texts, seen }) {
      const result = await call.save(key, texts, seen)
      if (result.status === 'refused') shown = result.conflicts[0]?.theirs ?? null
      return result
    },
  }
}

export type Session = {
  readonly actor: Actor
  /** Whether there is a next step. */
  isDone(): boolean
  /** Whether the next step is to save. */
  isReady(): boolean
  /** Takes the next step, but for saving. */
  go(): Promise<void>
  edits(): Edits
  /** `seen` in place of what was seen. */
  save(seen: Texts): Promise<SaveResult>
}

/** How often somebody tries to save what was refused. */
const ATTEMPTS = 3

/** `typed` makes texts for some fields, or for one. */
export function startEditing(
  editing: Editing,
  opened: Opened,
  { chance, typed }: { readonly chance: Chance; readonly typed: (isOne: boolean) => Texts },
): Session {
  const isCell = chance.happens(0.25)
  const texts = typed(isCell)
  let place: Place | undefined
  let edits = NO_EDITS
  let step: 'open' | 'type' | 'look' | 'save' | 'done' = 'open'
  let attempts = 0

  /** Mine or Theirs for each field that others have changed as well; their browser would not save before. */
  function settle(from: Place): void {
    for (const column of Object.keys(edits.texts)) {
      const shown = from.shown(column)
      if (!isContested(edits, column, shown)) continue
      const isMine = chance.happens(0.5)
      edits = isMine ? insisting(edits, column, shown) : edited(edits, column, shown, shown)
    }
    step = Object.keys(edits.texts).length > 0 ? 'save' : 'done'
  }

  return {
    actor: opened.actor,
    isDone: () => step === 'done',
    isReady: () => step === 'save',
    edits: () => edits,
    async go() {
      const [first = ''] = Object.keys(texts)
      place ??= await (isCell ? openCell(editing, opened, first) : openForm(editing, opened))
      if (step === 'open') step = 'type'
      else if (step === 'type') {
        for (const [column, text] of Object.entries(texts))
          edits = edited(edits, column, text, place.shown(column))
        step = Object.keys(edits.texts).length > 0 ? 'look' : 'done'
      } else {
        if (chance.happens(0.4)) await place.look()
        settle(place)
      }
    },
    async save(seen) {
      if (!place) throw new Error('Nothing is open.')
      const result = await place.save({ ...edits, seen })
      attempts++
      const givesUp = attempts === ATTEMPTS || chance.happens(0.2)
      if (result.status === 'saved' || givesUp) step = 'done'
      else settle(place)
      return result
    },
  }
}
