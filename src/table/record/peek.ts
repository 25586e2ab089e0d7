/** A row as it is peeked at beside its list: what its page shows, without its neighbours in the list. */

import * as v from 'valibot'
import type {
  FieldsView,
  FieldValue,
  FieldView,
  GoneView,
  PeekView,
  RecordView,
  RelatedView,
} from '../../protocol/record-view.ts'
import type { Request } from '../../server/component/component.ts'
import type { Storage } from '../../server/upload/storage.ts'
import type { Catalog, OpenTable } from '../catalog.ts'
import type { ListState } from '../list/concerns.ts'
import { shownColumns } from '../list/concerns/columns.ts'
import type { RowSource } from '../source/row-source.ts'
import { recordChannels } from '../table-channel.ts'
import { readRecord, wholeValue } from './read-row.ts'
import { readShown } from './read-shown.ts'
import { countRelated, relatedRows } from './related.ts'
import { drawRelated } from './related-page.ts'
import { drawGone, drawRecord } from './view.ts'

export type PeekServices = {
  readonly source: RowSource
  catalog(): Catalog
  /** Address of a table's listing. */
  href(table: string): string
  /** Where files are. Default: nowhere, so that none is found. */
  readonly storage?: Pick<Storage, 'size'>
  /** Whether it follows what others change. Default: false. */
  readonly isLive?: boolean
}

/** A request about a list, from which the row is peeked at. */
type Asked = Request<unknown, OpenTable> & { readonly state: ListState }

/** Longest time for the counts of the rows that refer to the row, ms. */
const COUNTS_MS = 3000

/** The list's queries about one of its rows, by its key. */
export const peekActions = (services: PeekServices) => ({
  peek: {
    kind: 'query' as const,
    args: v.strictTuple([v.string()]),
    run: async (context: Asked, key: string): Promise<PeekView> => ({
      row: await drawRow(services, context, key),
      channels: services.isLive ? [...recordChannels(context.opened)] : [],
    }),
  },
  peekRelated: {
    kind: 'query' as const,
    args: v.strictTuple([v.string()]),
    run: (context: Asked, key: string) => drawCounts(services, context, key),
  },
  peekWhole: {
    kind: 'query' as const,
    args: v.strictTuple([v.string(), v.string()]),
    run: (context: Asked, key: string, column: string): Promise<FieldValue | null> =>
      wholeValue(services.source, { ...context, key }, column),
  },
})

async function drawRow(
  services: PeekServices,
  { state: from, ...asked }: Asked,
  key: string,
): Promise<RecordView | GoneView> {
  const { opened, locale, language, timeZone } = asked
  const { href } = services
  const shown = await readShown(services, { ...asked, key })
  if (!shown) return drawGone(opened, { list: href(opened.definition.table.name), from, how: null })
  const drawn = drawRecord({
    ...shown,
    ...{ from, href, reader: { locale, language, timeZone } },
    // They are asked for by themselves, since they may take longer.
    related: [],
    found: [],
    // The list beside it shows them.
    neighbours: { previous: null, next: null },
    place: null,
  })
  const listed = shownColumns(opened, from).map(({ name }) => name)
  return { ...drawn, sections: inOneSection(drawn.sections, listed) }
}

/** The fields that the list shows, in its order, then the others, of which those without a value come last. */
function inOneSection(sections: readonly FieldsView[], listed: readonly string[]): FieldsView[] {
  const fields = sections.flatMap((section) => section.fields)
  const note = sections.find((section) => section.note !== undefined)?.note
  const rankOf = ({ name, value }: FieldView) => {
    const place = listed.indexOf(name)
    const isFilled = value.is !== 'null' && value.is !== 'empty'
    return place >= 0 ? place : listed.length + (isFilled ? 0 : 1)
  }
  const sorted = fields.toSorted((a, b) => rankOf(a) - rankOf(b))
  return [{ title: null, ...(note !== undefined && { note }), fields: sorted }]
}

/** The tables whose rows refer to the row, and how many do, as far as they are counted in time. */
async function drawCounts(
  { source, catalog, href }: PeekServices,
  { actor, opened: open, signal, locale, language, timeZone }: Asked,
  key: string,
): Promise<RelatedView[]> {
  const row = await readRecord(source, { opened: open, key, signal })
  const related = row ? relatedRows(catalog(), actor, open, row.values) : []
  const counts = await countRelated(source, related, signal, COUNTS_MS)
  return drawRelated({
    ...{ related, href, isPartial: false, self: open.definition.table.name },
    found: counts.map((count) => ({ count, page: undefined })),
    reader: { locale, language, timeZone },
  })
}
