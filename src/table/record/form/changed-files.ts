/** Files that a person has uploaded into fields of a form: only their own, for that very field, are taken. */

import { messagesFor } from '../../../messages/messages.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { UploadCalls } from '../../../server/upload/component-uploads.ts'
import { type UploadRules, whyUnfit } from '../../../server/upload/upload-rules.ts'
import type { OpenTable } from '../../catalog.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { bytesRules } from './bytes-field.ts'
import type { Texts } from './changed.ts'

/**
 * What the form's property `files` takes for a column; `undefined` where that takes no files. Throws `FORBIDDEN` where
 * its person may not write it: the right may be withdrawn while a file is on its way.
 */
export function uploadRules(
  { definition, access }: Pick<OpenTable, 'definition' | 'access'>,
  column: string,
): UploadRules | undefined {
  const rules = access.canShow(column)
    ? (definition.columns.get(column)?.file?.rules ?? bytesRules({ access }, column))
    : undefined
  const may = (['create', 'update'] as const).some(
    (action) => access.may(action) && access.canWrite(column, action),
  )
  if (rules && !may) throw new AppError('FORBIDDEN')
  return rules
}

const PROPERTY = 'files.'

export const columnOfProperty = (property: string): string =>
  property.startsWith(PROPERTY) ? property.slice(PROPERTY.length) : ''

export type FormUploads = Pick<UploadCalls, 'find' | 'keepFor' | 'read'>

export type ChangedFiles = {
  /** The keys that the files will have; of a column of bytes, the bytes. */
  readonly values: Values
  readonly errors: { readonly [column: string]: string[] }
  /** What was changed besides. */
  readonly others: Texts
  /** Keeps the files under these keys. */
  keep(): Promise<void>
}

/**
 * The text of a field for files is the path of an upload, or NULL. Without `uploads` no field takes files.
 * Throws `FORBIDDEN` for a column that the actor may not write.
 */
export async function readFiles(
  open: OpenTable,
  changed: Texts,
  uploads: FormUploads | undefined,
  reader: Reader,
): Promise<ChangedFiles> {
  const others: { [column: string]: string | null } = {}
  const values: Record<string, Value> = {}
  const errors: { [column: string]: string[] } = {}
  const uploaded: [column: string, path: string][] = []
  for (const [column, path] of Object.entries(changed)) {
    const isFile = open.definition.columns.get(column)?.file !== undefined
    // Where none are uploaded, bytes are refused as any other text of theirs is.
    if (!isFile && !(uploads && bytesRules(open, column))) {
      others[column] = path
      continue
    }
    const rules = uploadRules(open, column)
    if (!uploads || !rules) throw new AppError('FORBIDDEN')
    if (path === null) {
      values[column] = null
      continue
    }
    const found = await uploads.find(PROPERTY + column, path).catch(unlessGone)
    const why = found
      ? whyUnfit(rules, found.file, reader)
      : messagesFor(reader.language).form.files.gone
    if (why !== undefined) errors[column] = [why]
    else if (found && !isFile) values[column] = await bytesOf(await uploads.read(found.file))
    else if (found) {
      values[column] = found.key
      uploaded.push([column, path])
    }
  }
  const { name: table } = open.access.table
  return {
    ...{ values, errors, others },
    async keep() {
      for (const [column, path] of uploaded)
        await uploads?.keepFor(PROPERTY + column, path, { table, column })
    },
  }
}

/** The rules have bounded them. */
async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

/** Nobody learns whether it is another's, or has gone. */
function unlessGone(error: unknown): undefined {
  if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
}
