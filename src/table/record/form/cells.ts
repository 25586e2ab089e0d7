/** The cells of a list as a live component: one of them is asked for and saved, by the fields and rules of forms. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import type { TypesOf } from '../../../protocol/component-types.ts'
import type { CellField, CellsComponent } from '../../../protocol/form-view.ts'
import { type Component, defineComponent } from '../../../server/component/define.ts'
import type { OpenTable } from '../../catalog.ts'
import { openForRow } from '../row-actions.ts'
import { readOnlyReason } from '../../list/read-only.ts'
import { readings, shortText, texts } from './arguments.ts'
import { type FormServices, openRows } from './component.ts'
import { drawFields } from './field.ts'
import { relatedActions } from './related.ts'
import { createSaving } from './saving.ts'

export type Cells = Component<{ readonly table: string }, TypesOf<CellsComponent>>

const rowKey = v.string()

export function createCellsComponent(services: Omit<FormServices, 'isLive'>): Cells {
  const { catalog, source } = services
  const saving = createSaving(services)
  const related = relatedActions({ ...services, saving })
  return defineComponent({
    name: 'cells',
    params: v.object({ table: v.string() }),
    state: {},
    open: ({ actor, params: { table } }): OpenTable => openRows(catalog(), actor, table),
    authorize: ({ opened }) => opened.access.may('read'),
    mount: () => ({}),
    actions: {
      cell: {
        kind: 'query',
        args: v.strictTuple([rowKey, shortText]),
        async run({ opened, signal, locale, language, timeZone }, key, column): Promise<CellField> {
          const reader = { locale, language, timeZone }
          const { problems, form } = messagesFor(language)
          const row = await saving.readRow(opened, key)
          if (!row) return { is: 'fixed', why: problems.missing }
          // A value that is masked is not in it.
          const values = column in row ? { [column]: row[column] ?? null } : {}
          const forRow = await openForRow(source, opened, opened.keys.read(key), { signal })
          const why = readOnlyReason(forRow, reader)
          if (why !== null) return { is: 'fixed', why }
          const labels = await saving.labelsOf(opened, values)
          const [drawn] = drawFields(
            opened,
            { values, isNew: false, amounts: row, labels, only: column },
            reader,
          )
          if (!drawn) return { is: 'fixed', why: problems.missing }
          if (!('input' in drawn)) return { is: 'fixed', why: drawn.fixed.why }
          const { input } = drawn
          const canClear = input.nullable && input.takesEmpty
          return { is: 'input', field: input, keys: form.cellKeys(canClear) }
        },
      },
      save: {
        kind: 'write',
        args: v.strictTuple([rowKey, texts, texts, readings]),
        run: ({ opened, actor, locale, language, timeZone }, key, changed, seen, drawn) =>
          saving.save({
            ...{ open: opened, actor, door: 'cell', key, changed, seen },
            ...{ readings: drawn, reader: { locale, language, timeZone } },
          }),
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
    },
    view: () => ({}),
  })
}
