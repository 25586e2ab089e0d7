/** Files that a person has uploaded into fields of a form: only their own, for that very field, are taken. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import { AppError } from '../../../server/app-error.ts'
import type { Reader } from '../../../server/http/locale.ts'
import type { UploadCalls } from '../../../server/upload/component-uploads.ts'
import { parseStrictJson } from '../../../server/http/strict-json.ts'
import { readKey } from '../../../server/upload/kept-key.ts'
import { maxFilesOf, type UploadRules, whyUnfit } from '../../../server/upload/upload-rules.ts'
import type { FoundUpload } from '../../../server/upload/uploads.ts'
import type { OpenTable } from '../../catalog.ts'
import type { FileColumn } from '../../definition/file-column.ts'
import { keyList, keysIn } from '../../files/key-list.ts'
import type { Value } from '../../source/value.ts'
import type { Values } from '../../source/write-unit.ts'
import { bytesRules } from './bytes-field.ts'
import type { Texts } from './changed.ts'
import { FIELD_MAX } from './field.ts'

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

export type FormUploads = Pick<UploadCalls, 'find' | 'keepFor' | 'use' | 'read' | 'remove'>

export type ChangedFiles = {
  /** The keys that the files will have; of a column of bytes, the bytes. */
  readonly values: Values
  readonly errors: { readonly [column: string]: string[] }
  /** What was changed besides. */
  readonly others: Texts
  /** Keeps the files under these keys. */
  keep(): Promise<void>
  /** The row is saved: its files are not taken for another one. */
  use(): Promise<void>
}

type Asked = {
  readonly open: OpenTable
  /** What the row holds, as far as the person may read it; `null` for a new one. */
  readonly before: Values | null
  /** Without them no field takes files. */
  readonly uploads: FormUploads | undefined
  readonly reader: Reader
}

/** What becomes of one column. */
type Taken = {
  readonly value?: Value
  readonly errors: readonly string[]
  /** Paths of the uploads that are in it. */
  readonly paths: readonly string[]
}

/**
 * The text of a field for files is the path of an upload, or NULL; of a list, the JSON of paths and of what the row
 * holds already. Throws `FORBIDDEN` for a column that the actor may not write.
 */
export async function readFiles(changed: Texts, asked: Asked): Promise<ChangedFiles> {
  const { open, uploads } = asked
  const others: (readonly [string, string | null])[] = []
  const taken = new Map<string, Taken>()
  for (const [column, text] of Object.entries(changed)) {
    const file = open.definition.columns.get(column)?.file
    // Where none are uploaded, bytes are refused as any other text of theirs is.
    if (!file && !(uploads && bytesRules(open, column))) {
      others.push([column, text])
      continue
    }
    const rules = uploadRules(open, column)
    if (!uploads || !rules) throw new AppError('FORBIDDEN')
    if (text === null) taken.set(column, { value: null, errors: [], paths: [] })
    else taken.set(column, await takeText(text, { ...asked, column, file, rules, uploads }))
  }
  const { name: table } = open.access.table
  const all = [...taken].flatMap(([column, { paths }]) =>
    paths.map((path) => ({ column, path, property: PROPERTY + column })),
  )
  const isFile = (column: string) => open.definition.columns.get(column)?.file !== undefined
  return {
    others: Object.fromEntries(others),
    values: Object.fromEntries(
      [...taken].flatMap(([column, { value }]) => (value === undefined ? [] : [[column, value]])),
    ),
    errors: Object.fromEntries(
      [...taken].flatMap(([column, { errors }]) =>
        errors.length > 0 ? [[column, [...new Set(errors)]]] : [],
      ),
    ),
    async keep() {
      for (const { column, path, property } of all)
        if (isFile(column)) await uploads?.keepFor(property, path, { table, column })
    },
    async use() {
      for (const { column, path, property } of all)
        if (isFile(column)) await uploads?.use(property, path)
        // The row holds the bytes themselves.
        else await uploads?.remove(property, path)
    },
  }
}

type Taking = Asked & {
  readonly column: string
  /** `undefined` for a column of bytes. */
  readonly file: FileColumn | undefined
  readonly rules: UploadRules
  readonly uploads: FormUploads
}

async function takeText(text: string, taking: Taking): Promise<Taken> {
  const { open, before, column, file, rules, uploads, reader } = taking
  const { form, details } = messagesFor(reader.language)
  const held = new Set(file ? keysIn(file, before?.[column] ?? null) : [])
  if (!file?.list) {
    const found = await findUpload(text, held, taking)
    if (typeof found === 'string') return { errors: [found], paths: [] }
    const value = file ? found.key : await bytesOf(await uploads.read(found.file))
    return { value, errors: [], paths: [text] }
  }
  const keys = new Set<string>()
  const errors: string[] = []
  const paths: string[] = []
  for (const path of new Set(pathsIn(text))) {
    if (held.has(path)) {
      keys.add(path)
      continue
    }
    const found = await findUpload(path, held, taking)
    if (typeof found === 'string') errors.push(found)
    else {
      keys.add(found.key)
      paths.push(path)
    }
  }
  const most = maxFilesOf(rules)
  if (keys.size > most) errors.push(details.upload.maxFiles(most.toLocaleString(reader.locale)))
  const { nullable = false } = open.access.table.columns.find(({ name }) => name === column) ?? {}
  const value = keys.size === 0 && nullable ? null : keyList([...keys], file.list)
  // A longer one could not be changed any more.
  if ((value?.length ?? 0) > FIELD_MAX) errors.push(form.files.tooMany)
  // With an error as well, so that it is seen where somebody else has changed the list.
  return { value, errors, paths }
}

/** The upload at a path, or why it is not taken. */
async function findUpload(
  path: string,
  held: ReadonlySet<string>,
  { column, file, rules, uploads, reader }: Taking,
): Promise<FoundUpload | string> {
  const { files } = messagesFor(reader.language).form
  const stored = file?.list && readKey(path)
  // Whether it is another row's, nobody learns.
  if (stored) return files.takenOut(stored.name)
  const found = await uploads.find(PROPERTY + column, path).catch(unlessGone)
  if (!found) return files.gone
  // A save whose answer was lost is made again.
  if (found.isUsed && !held.has(found.key)) return files.used(found.file.name)
  return whyUnfit(rules, found.file, reader) ?? found
}

/** Throws `REQUEST_INVALID` for what no form sends. */
function pathsIn(text: string): readonly string[] {
  const read = v.safeParse(pathsSchema, parseStrictJson(text, 2))
  if (!read.success) throw new AppError('REQUEST_INVALID')
  return read.output
}

const pathsSchema = v.array(v.string())

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
