/** The form of one row as a live component: creates it, or changes the fields that a person has touched. */

import * as v from 'valibot'
import type { TypesOf } from '../../../protocol/component-types.ts'
import { LINES_MAX } from '../../../protocol/form-sections.ts'
import type { FormComponent } from '../../../protocol/form-view.ts'
import { AppError } from '../../../server/app-error.ts'
import { type Component, defineComponent } from '../../../server/component/define.ts'
import type { Actor } from '../../../server/actor.ts'
import { uploadedFiles } from '../../../server/upload/upload-actions.ts'
import type { Catalog, OpenTable } from '../../catalog.ts'
import { byName } from '../../source/by-name.ts'
import type { Values } from '../../source/write-unit.ts'
import { recordChannels } from '../../table-channel.ts'
import { readings, shortText, texts } from './arguments.ts'
import { openForRow } from '../row-actions.ts'
import { columnOfProperty, uploadRules } from './changed-files.ts'
import { drawForm, NOTHING_FOUND } from './draw-form.ts'
import { findSections } from './draw-sections.ts'
import { isCopied } from './field.ts'
import { readDrawn } from './read-text.ts'
import { relatedActions } from './related.ts'
import { createSaving, type SavingServices } from './saving.ts'

const line = v.strictObject({
  id: v.string(),
  key: v.nullable(v.string()),
  isRemoved: v.boolean(),
  texts,
  seen: texts,
})

const savedSections = v.strictObject({
  lines: byName(
    v.strictObject({
      lines: v.pipe(v.array(line), v.maxLength(2 * LINES_MAX)),
      order: v.nullable(v.strictObject({ seen: v.array(v.string()), ids: v.array(v.string()) })),
    }),
  ),
  links: byName(
    v.strictObject({
      added: v.pipe(v.array(v.string()), v.maxLength(LINES_MAX)),
      removed: v.pipe(v.array(v.string()), v.maxLength(LINES_MAX)),
    }),
  ),
})

const params = v.object({
  table: v.string(),
  /** The row; `null` for a new one. */
  key: v.nullable(v.string()),
  /** The row whose values a new one begins with; `null` for none. */
  copyOf: v.nullable(v.string()),
  /** Values that a new row begins with, as texts by column. */
  preset: byName(v.string()),
})

export type FormParams = v.InferOutput<typeof params>

export type FormServices = SavingServices & {
  catalog(): Catalog
  readonly isLive: boolean
}

export type Form = Component<FormParams, TypesOf<FormComponent>>

const without = <Value>(all: { readonly [name: string]: Value }, names: readonly string[]) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)))

/** A table whose rows have keys. Throws `NOT_FOUND`. */
export function openRows(catalog: Catalog, actor: Actor, table: string): OpenTable {
  const open = catalog.open(actor, table)
  if (open.access.table.key.length === 0) throw new AppError('NOT_FOUND')
  return open
}

export function createFormComponent(services: FormServices): Form {
  const { catalog, href, isLive, source } = services
  const saving = createSaving(services)
  const related = relatedActions({ ...services, saving })

  /** What the form begins with. */
  async function startOf(open: OpenTable, { key, copyOf, preset }: FormParams, locale: string) {
    if (key !== null) {
      const values = await saving.readRow(open, key)
      return { values, sections: await sectionsFor(open, values) }
    }
    const copied = copyOf === null ? undefined : await saving.readRow(open, copyOf)
    const { table } = open.access
    // Two rows never share a file.
    const isFile = (name: string) => open.definition.columns.get(name)?.file !== undefined
    const kept = Object.entries(copied ?? {}).filter(
      ([name]) => isCopied(table, name) && !table.key.includes(name) && !isFile(name),
    )
    const given = table.columns.flatMap((column) => {
      const asked = Object.hasOwn(preset, column.name) ? preset[column.name] : undefined
      const read = asked === undefined ? undefined : readDrawn(column, asked, locale)
      return read &&
        'value' in read &&
        !isFile(column.name) &&
        open.access.canWrite(column.name, 'create')
        ? [[column.name, read.value] as const]
        : []
    })
    const [none, copies] = [
      await sectionsFor(open, null),
      copied && (await sectionsFor(open, copied)),
    ]
    return { values: Object.fromEntries([...kept, ...given]), sections: none, copies }
  }

  /** Of a row that is gone there are none. */
  const sectionsFor = async (open: OpenTable, row: Values | null | undefined) =>
    row === undefined ? NOTHING_FOUND : findSections(source, open, row)

  return defineComponent({
    name: 'form',
    params,
    state: { files: byName(uploadedFiles) },
    open: ({ actor, params: { table } }): OpenTable => openRows(catalog(), actor, table),
    uploads: (property, { opened }) => uploadRules(opened, columnOfProperty(property)),
    channels: ({ opened, params: { key } }) =>
      isLive && key !== null ? recordChannels(opened) : [],
    authorize: ({ opened }) => opened.access.may('read'),
    mount: () => ({ files: {} }),
    actions: {
      save: {
        kind: 'write',
        args: v.strictTuple([texts, texts, v.nullable(savedSections), readings]),
        async run(
          { opened, params: { key }, actor, state, uploads, locale, language, timeZone },
          changed,
          seen,
          sections,
          drawn,
        ) {
          const result = await saving.save({
            ...{ open: opened, actor, door: 'form', key, changed, seen, sections, uploads },
            ...{ readings: drawn, reader: { locale, language, timeZone } },
          })
          // What the row has taken is no upload any more.
          if (result.status === 'saved') state.files = without(state.files, Object.keys(changed))
          return result
        },
      },
      authors: {
        kind: 'query',
        args: v.strictTuple([v.array(shortText)]),
        run: async ({ opened, params: { key }, locale, language, timeZone }, columns) =>
          key === null
            ? {}
            : saving.authorsOf(opened, { key, columns, reader: { locale, language, timeZone } }),
      },
      suggest: { ...related.suggest, run: (...asked) => related.suggest.run(...asked) },
      newRelated: { ...related.newRelated, run: (...asked) => related.newRelated.run(...asked) },
      createRelated: {
        ...related.createRelated,
        run: (...asked) => related.createRelated.run(...asked),
      },
      relatedNotShown: {
        ...related.relatedNotShown,
        run: (...asked) => related.relatedNotShown.run(...asked),
      },
      notShown: {
        kind: 'query',
        args: v.strictTuple([texts]),
        run: ({ opened, params: { key }, locale, language, timeZone }, changed) =>
          saving.notShownWith(opened, { key, changed, reader: { locale, language, timeZone } }),
      },
    },
    async load({ opened, params, locale, signal }) {
      const { key } = params
      const start = await startOf(opened, params, locale)
      const row = key === null ? null : opened.keys.read(key)
      const open = await openForRow(source, opened, row, { signal })
      return { data: { ...start, open, labels: await saving.labelsOf(opened, start.values ?? {}) } }
    },
    view: ({ params: { key }, data: { open, ...data }, ...reader }) =>
      drawForm(open, { key, ...data }, reader, href),
  })
}
