/** Whether the database takes changes: by a setting, or by an administrator's switch, which persists. */

import { basename } from 'node:path'
import type { Metadata } from '../../database/metadata/metadata.ts'
import type { ChangesStatement } from '../../protocol/admin-view.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { Catalog, OpenTable } from '../../table/catalog.ts'
import { formatterFor } from '../../table/format.ts'
import { readOnlyReason } from '../../table/list/read-only.ts'
import { couldReorder } from '../../table/list/reordering.ts'
import type { RowSource } from '../../table/source/row-source.ts'
import type { WriteRights } from '../../table/source/writing.ts'

export type Changes = {
  /** Whether this person may allow changes, and take that back. */
  maySwitch(actor: Actor): boolean
  /** Allows changes from now on, or takes that back. Throws `FORBIDDEN` and `TABLE_READ_ONLY`. */
  allow(actor: Actor, isAllowed: boolean): Promise<void>
  /** What a person is told before they decide. Throws `FORBIDDEN`. */
  statement(actor: Actor, reader: Reader, catalog: Catalog): Promise<ChangesStatement>
  close(): void
}

/** How soon a node follows what was decided on another one, ms. */
const FOLLOW_MS = 5000

export type ChangesOptions = {
  readonly source: RowSource
  readonly metadata: Metadata
  /** The file or the database with Tablewire's own records. */
  readonly records: string
  /** `true`: allowed; `false`: never; left out: an administrator decides in the page. */
  readonly write: boolean | undefined
  readonly log?: ((line: string, error?: unknown) => void) | undefined
}

/** Throws `TABLE_READ_ONLY` if changes are wanted by the setting, and nothing could be written. */
export async function createChanges(options: ChangesOptions): Promise<Changes> {
  const { source, metadata, records, write, log } = options
  const { writing } = source
  // One data folder may serve several databases, and each is allowed on its own.
  const setting = `changes to ${writing?.database ?? ''}`
  await writing?.allow(write === true)
  const inTurn = turns()
  /** What was read last, so that a failure is told once. */
  let decided: boolean | undefined = false
  const follow = async (): Promise<void> => {
    const isAllowed = (await metadata.settings.get(setting)) === true
    if (isAllowed === decided) return
    decided = isAllowed
    await writing?.allow(isAllowed).catch((error: unknown) => {
      log?.('Changes were allowed, but the database cannot be written.', error)
    })
  }
  if (write === undefined) await follow()
  // A setting that cannot be read stays as it is known, and is asked for again.
  const timer =
    write === undefined && writing
      ? setInterval(() => void inTurn(follow).catch(() => undefined), FOLLOW_MS)
      : undefined
  timer?.unref()

  const maySwitch = ({ role }: Actor): boolean =>
    role === 'admin' && write === undefined && writing !== undefined

  function switchable(actor: Actor): NonNullable<typeof writing> {
    if (!writing || !maySwitch(actor)) throw new AppError('FORBIDDEN')
    return writing
  }

  return {
    maySwitch,
    async allow(actor, isAllowed) {
      const writing = switchable(actor)
      await inTurn(async () => {
        // If this fails halfway, what is stored holds.
        decided = undefined
        await writing.allow(isAllowed)
        await metadata.settings.set(setting, isAllowed)
        decided = isAllowed
      })
    },
    async statement(actor, reader, catalog) {
      const writing = switchable(actor)
      const isAllowed = writing.isAllowed()
      const { changes } = messagesFor(reader.language)
      const { lead, ...words } = isAllowed ? changes.takeBack : changes.allow
      if (isAllowed) return { isAllowed, ...words, lines: [lead], tables: [], obstacle: null }
      const { tables, rest } = possibleIn(catalog, actor, reader)
      const { lines, obstacle } = await told(writing, records, reader)
      return { isAllowed, ...words, lines: [lead, ...rest, ...lines], tables, obstacle }
    },
    close: () => clearInterval(timer),
  }
}

/** Runs one after the other. */
function turns(): (work: () => Promise<void>) => Promise<void> {
  let last = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }
}

type Told = Pick<ChangesStatement, 'lines' | 'obstacle'>

/** Tables of which the same holds that are named. */
const NAMED = 12

/** What becomes possible, table by table, and what there is to say of all others. */
function possibleIn(catalog: Catalog, actor: Actor, reader: Reader) {
  const { changes } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const open = catalog.readable(actor).flatMap(({ table }) => catalog.find(actor, table.name) ?? [])
  const writable = [...Map.groupBy(open, (table) => possible(table, reader))].filter(
    ([may]) => may !== '',
  )
  const tables = writable.map(([may, all]) => {
    const labels = all.slice(0, NAMED).map(({ definition }) => definition.label)
    const more = all.length - labels.length
    const label = changes.tables(labels, more > 0 ? number(more) : undefined)
    // Each of them holds a table.
    return { name: all[0]!.definition.table.name, label, may }
  })
  const others = writable.reduce((left, [, all]) => left - all.length, open.length)
  const rest = [
    ...(tables.length === 0 ? [changes.noTable] : []),
    ...(tables.length > 0 && others > 0
      ? [changes.others({ count: others, text: number(others) })]
      : []),
    changes.own,
  ]
  return { tables, rest }
}

/** What becomes possible in a table, in words; empty if nothing does. */
function possible(open: OpenTable, reader: Reader): string {
  const { changes } = messagesFor(reader.language)
  const writing = { ...open, takesChanges: true }
  const may = (['create', 'update', 'delete'] as const).filter(
    (action) => readOnlyReason(writing, reader, action) === null,
  )
  const { reorder, columns } = open.definition
  const order = couldReorder(open) ? columns.get(reorder?.column ?? '')?.label : undefined
  return changes.rows(
    may.map((action) => changes.may[action]),
    order,
  )
}

/** What the database's role may do, and where Tablewire keeps its own records; or what is in the way. */
async function told(
  writing: NonNullable<RowSource['writing']>,
  records: string,
  reader: Reader,
): Promise<Told> {
  const { changes } = messagesFor(reader.language)
  try {
    const rights = await writing.rights()
    return {
      lines: [rightsText(rights, writing.database, reader), changes.records(basename(records))],
      obstacle: mayWrite(rights) ? null : changes.nothing,
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'TABLE_READ_ONLY') throw error
    return { lines: [], obstacle: error.detailFor(reader) ?? changes.nothing }
  }
}

const mayWrite = ({ tables, insert, update, delete: remove }: WriteRights): boolean =>
  tables === 0 || insert + update + (remove ?? 0) > 0

function rightsText(rights: WriteRights, database: string, reader: Reader): string {
  const { changes } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const { role, tables, update } = rights
  // Names only: where the files lie on the server is not told to a browser.
  const file = basename(database)
  if (role === null) return mayWrite(rights) ? changes.file(file) : changes.lockedFile(file)
  return changes.role(role, number(update), number(tables))
}
