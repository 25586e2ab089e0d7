/** Corrects a table beside its list: what is entered is looked at there, and saved for everyone together. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { TypesOf } from '../../protocol/component-types.ts'
import type {
  CorrectionsComponent,
  CorrectionsSaved,
  CorrectionsView,
} from '../../protocol/corrections-view.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import { type Component, defineComponent } from '../../server/component/define.ts'
import { parseForm } from '../../server/http/guarded-routes.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog, CorrectedCatalog, OpenTable } from '../../table/catalog.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'
import { type Previewed, withPreviewed } from '../../table/previewed.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import { templates } from '../../table/templates.ts'
import { CorrectionConflict, type CorrectionDesk } from './corrections.ts'
import { drawCorrections, isOffered } from './draw.ts'
import { changedIn, type CorrectionForm, correctionForm, judgedIn } from './form.ts'
import { foundValues } from './found-values.ts'
import { conflictText, refusedOf } from './refused.ts'
import { fieldsOf, isCorrectedPart, partOf, partsOf, saidByCode, valuesOf } from './values.ts'

export type CorrectionsServices = {
  catalog(): Catalog
  readonly source: RowSource
  readonly corrections: CorrectionDesk
  /** The catalog with corrections of a table that are not saved. */
  preview(table: string, parts: readonly Previewed[]): Promise<Catalog>
  /** Address of the page about a table, or about a column of it. */
  href(table: string, column: string | null): string
}

/** All controls of a wide table. */
const fields = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(1000)), v.pipe(v.array(v.string()), v.maxLength(10_000))),
  v.check((entered) => JSON.stringify(entered).length <= 200_000),
)

/** What is entered of a column, or of the table itself. */
const draft = v.strictObject({ column: v.nullable(v.string()), fields })

type Draft = v.InferOutput<typeof draft>

const state = {
  /** The column that is shown; `null`: the table. */
  column: v.nullable(v.string()),
  drafts: v.array(draft),
  /** Values that the column holds. */
  found: v.array(v.strictObject({ stored: v.string(), count: v.number() })),
}

type State = { -readonly [name in keyof typeof state]: v.InferOutput<(typeof state)[name]> }

type Opened = {
  readonly open: OpenTable
  readonly before: TableDefinition
  readonly corrected: CorrectedCatalog
}

export type CorrectionsParams = { readonly table: string }

/** For administrators alone. */
export const createCorrectionsComponent = (
  services: CorrectionsServices,
): Component<CorrectionsParams, TypesOf<CorrectionsComponent>> =>
  defineComponent({
    name: 'corrections',
    params: v.object({ table: v.string() }),
    state,
    open: ({ actor, params }) => openTable(services.catalog(), actor, params.table),
    authorize: ({ actor }) => actor.role === 'admin',
    mount: () => ({ column: null, drafts: [], found: [] }),
    actions: {
      show: {
        args: v.strictTuple([v.nullable(v.string())]),
        async run({ state, opened, signal }, column) {
          const { open, corrected } = opened
          if (column !== null && !open.access.canShow(column)) throw new AppError('NOT_FOUND')
          const stored = await services.corrections.of(open.definition.table.name)
          // Those of a key would be counted to the limit of time, and not be shown.
          const isWanted =
            column !== null && isOffered('values', { open, corrected, column, stored })
          const found = isWanted ? await foundValues(services.source, open, column, signal) : []
          Object.assign(state, { column, found })
        },
      },
      enter: {
        args: v.strictTuple([v.nullable(v.string()), fields]),
        run: ({ state, opened }, column, entered) => enter(state, opened, column, entered),
      },
      putBack: {
        args: v.strictTuple([v.string()]),
        run({ state, opened }, part) {
          if (isCorrectedPart(part)) putBack(state, opened, state.column, part)
        },
      },
      putAllBack: {
        args: v.strictTuple([]),
        async run({ state, opened }) {
          const table = opened.open.definition.table.name
          state.drafts = []
          for (const { column, part } of await services.corrections.of(table))
            if (isCorrectedPart(part)) putBack(state, opened, column, part)
        },
      },
      drop: {
        args: v.strictTuple([]),
        run: ({ state }) => void Object.assign(state, { column: null, drafts: [], found: [] }),
      },
      save: {
        kind: 'write',
        changesRows: false,
        args: v.strictTuple([]),
        async run({ state, actor, params, language, locale, timeZone }): Promise<CorrectionsSaved> {
          // Another node may have drawn the panel.
          await services.corrections.follow()
          const opened = openTable(services.catalog(), actor, params.table)
          const judged = state.drafts.map((one) => ({ ...one, ...judge(one, opened) }))
          const refused = judged.find(({ faults }) => faults.length > 0)
          if (refused) {
            state.column = refused.column
            return { status: 'refused' }
          }
          try {
            await services.corrections.save(
              actor,
              judged.flatMap(({ changes }) => changes),
            )
          } catch (error) {
            if (!(error instanceof CorrectionConflict)) throw error
            const now = openTable(services.catalog(), actor, params.table)
            state.drafts = state.drafts.map((one) => seenNow(one, opened, now))
            const reader = { language, locale, timeZone }
            return { status: 'conflict', message: conflictText(error, reader) }
          }
          state.drafts = []
          return { status: 'saved' }
        },
      },
    },
    async load({ state, actor, opened, params: { table } }) {
      const judged = state.drafts.map((one) => ({ ...one, ...judge(one, opened) }))
      const preview = judged.flatMap(previewOf)
      const previewed = await previewedBy(services, actor, opened, preview)
      const stored = await services.corrections.of(table)
      return { data: { judged, preview, previewed, stored } }
    },
    view({ state, data, opened, params: { table }, language, locale, timeZone }) {
      const { judged, preview, previewed, stored } = data
      const { corrections: copy } = messagesFor(language)
      const reader: Reader = { language, locale, timeZone }
      const { column, found } = state
      const shown = judged.find((one) => one.column === column)
      const about = { ...opened, column }
      const href = (name: string | null) => services.href(table, name)
      const refused = shown && refusedOf(shown.form, about, shown.faults, reader)
      // What is offered of a column depends on its kind, also where that is not saved.
      const corrections = withPreviewed(opened.corrected.corrections, table, preview)
      const drawn = drawCorrections({
        ...{ ...about, stored, found, refused, href, reader },
        ...{ corrected: { ...opened.corrected, corrections }, previewed, isRedrawn: true },
      })
      const view: CorrectionsView = {
        ...drawn,
        action: href(column),
        whole: column === null ? null : { label: copy.words.whole, href: href(null) },
        list: { label: copy.words.cancel, href: href(null) },
        ...{ done: null, error: null },
      }
      return {
        view,
        unsaved: judged.reduce((sum, { changes }) => sum + changes.length, 0),
        preview: preview.length > 0 ? JSON.stringify(preview) : '',
        isCorrected: stored.some((one) => !isSaid(one, opened)),
        words: templates(copy.words),
      }
    },
  })

/** Throws `NOT_FOUND` for a table that the actor may not see. */
function openTable(catalog: Catalog, actor: Actor, table: string): Opened {
  const { corrected } = catalog
  const before = corrected.before(actor, table)
  if (!before) throw new AppError('NOT_FOUND')
  return { open: catalog.open(actor, table), before, corrected }
}

/** The table as the list shows it with what is entered. */
async function previewedBy(
  { preview }: CorrectionsServices,
  actor: Actor,
  { open: { definition } }: Opened,
  parts: readonly Previewed[],
): Promise<TableDefinition> {
  if (parts.length === 0) return definition
  const { name } = definition.table
  const made = preview(name, parts).then((catalog) => catalog.open(actor, name).definition)
  // Where none can be made, the list does without it as well.
  return made.catch(() => definition)
}

/** The valid changes, as the list previews them. */
const previewOf = ({ changes, faults }: ReturnType<typeof judge>): Previewed[] =>
  changes
    .filter(({ part }) => !faults.some((fault) => fault.part === part))
    .map(({ column, part, value }) => ({ column, part, ...(value !== undefined && { value }) }))

/** A control that is there once, and those of which there are several. */
const formOf = ({ fields }: Draft): CorrectionForm =>
  parseForm(
    correctionForm,
    Object.fromEntries(
      Object.entries(fields).map(([name, all]) => [name, all.length === 1 ? all[0] : all]),
    ),
  )

/** What a draft asks for, and what is wrong with it. */
function judge(draft: Draft, opened: Opened) {
  const form = formOf(draft)
  return { form, ...judgedIn(form, { ...opened, column: draft.column }) }
}

/** Takes the place of what was entered of it before. */
function enter(state: State, opened: Opened, column: string | null, fields: Draft['fields']): void {
  const entered = { column, fields }
  const { changes } = judge(entered, opened)
  const others = state.drafts.filter((one) => one.column !== column)
  state.drafts = changes.length > 0 ? [...others, entered] : others
}

function putBack(
  state: State,
  opened: Opened,
  column: string | null,
  part: Parameters<typeof fieldsOf>[0],
): void {
  const { open, before } = opened
  const entered = state.drafts.find((one) => one.column === column)?.fields
  const seen = [JSON.stringify(valuesOf(open.definition, column))]
  const read = valuesOf(before, column)[part] ?? null
  enter(state, opened, column, { seen, ...entered, ...fieldsOf(part, read, before) })
}

/** What was changed of it, compared with what is in effect now: whoever is told of a conflict has seen that. */
function seenNow(draft: Draft, before: Opened, { open }: Opened): Draft {
  const { column } = draft
  const changed = Object.keys(changedIn(formOf(draft), { ...before, column }))
  const kept = Object.entries(draft.fields).filter(([control]) =>
    changed.includes(partOf(control) ?? ''),
  )
  const seen = [JSON.stringify(valuesOf(open.definition, column))]
  return { column, fields: { ...Object.fromEntries(kept), seen } }
}

/** What code says is not corrected, whatever is stored. */
const isSaid = (
  { table, column, part }: { table: string; column: string | null; part: string },
  { corrected }: Opened,
): boolean => {
  const code = corrected.correctable.declared[table] ?? {}
  return (
    partsOf(column).some((one) => one === part) &&
    saidByCode(table, column, part, code) !== undefined
  )
}
