/** Whether the database takes changes: by a setting, or by an administrator's switch, which persists. */

import { basename } from 'node:path'
import type { Metadata } from '../../database/metadata/metadata.ts'
import type { ChangesStatement } from '../../protocol/admin-view.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../../table/format.ts'
import type { RowSource, WriteRights } from '../../table/source/row-source.ts'

export type Changes = {
  /** Whether this person may allow changes, and take that back. */
  maySwitch(actor: Actor): boolean
  /** Allows changes from now on, or takes that back. Throws `FORBIDDEN` and `TABLE_READ_ONLY`. */
  allow(actor: Actor, isAllowed: boolean): Promise<void>
  /** What a person is told before they decide. Throws `FORBIDDEN`. */
  statement(actor: Actor, reader: Reader): Promise<ChangesStatement>
}

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
  if (write === undefined && (await metadata.settings.get(setting)) === true)
    await writing?.allow(true).catch((error: unknown) => {
      log?.('Changes were allowed, but the database cannot be written.', error)
    })

  const maySwitch = ({ role }: Actor): boolean =>
    role === 'admin' && write === undefined && writing !== undefined

  function switchable(actor: Actor): NonNullable<typeof writing> {
    if (!writing || !maySwitch(actor)) throw new AppError('FORBIDDEN')
    return writing
  }

  return {
    maySwitch,
    async allow(actor, isAllowed) {
      await switchable(actor).allow(isAllowed)
      await metadata.settings.set(setting, isAllowed)
    },
    async statement(actor, reader) {
      const writing = switchable(actor)
      const isAllowed = writing.isAllowed()
      const { changes } = messagesFor(reader.language)
      const { lead, ...words } = isAllowed ? changes.takeBack : changes.allow
      const { lines, obstacle } = isAllowed ? NO_MORE : await told(writing, records, reader)
      return { isAllowed, ...words, lines: [lead, ...lines], obstacle }
    },
  }
}

type Told = Pick<ChangesStatement, 'lines' | 'obstacle'>

const NO_MORE: Told = { lines: [], obstacle: null }

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
  const { role, tables, insert, update } = rights
  // Names only: where the files lie on the server is not told to a browser.
  const file = basename(database)
  if (role === null) return mayWrite(rights) ? changes.file(file) : changes.lockedFile(file)
  const counts = { insert: number(insert), update: number(update) }
  return rights.delete === null
    ? changes.roleUntold(role, counts, number(tables))
    : changes.role(role, { ...counts, delete: number(rights.delete) }, number(tables))
}
