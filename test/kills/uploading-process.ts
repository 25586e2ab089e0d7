/**
 * Uploads a file at once and one in pieces, each into a row, or puts both into S3, in a process that is killed at one
 * of its steps; prints the id of each row that was saved.
 */

import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import * as v from 'valibot'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openSqlite } from '../../src/database/sqlite/open.ts'
import type { Json } from '../../src/protocol/json.ts'
import {
  readAddress,
  UPLOAD_CALLS,
  UPLOAD_HEADERS,
  UPLOAD_PART,
} from '../../src/protocol/upload.ts'
import { HEADERS, type UpdateResponse } from '../../src/protocol/wire.ts'
import { ANA, browse, HOST_SIGN_IN, people } from '../embedding/guest.ts'
import { countDiskSteps, countSteps, keepLate } from './steps.ts'
import { bytesFor, PIECE, ROWS, TYPE } from './uploaded.ts'

const optionsSchema = v.object({
  file: v.string(),
  dataFolder: v.string(),
  /** How far the clock is ahead, ms. */
  aheadMs: v.number(),
  /** Whether it uploads; else it only sweeps. */
  uploads: v.boolean(),
  /** The step before which the process is killed, counted from 1; `null`: it lives. */
  dieAt: v.nullable(v.number()),
  /** A file for the texts of all steps; `null` for none. */
  steps: v.nullable(v.string()),
  /** Whether files are kept only after their rows are saved: the twin, which loses some. */
  isLate: v.boolean(),
  /** Where files are, into which pages put them themselves; `null`: in the data folder. */
  s3: v.nullable(
    v.object({
      bucket: v.string(),
      endpoint: v.string(),
      accessKeyId: v.string(),
      secretAccessKey: v.string(),
    }),
  ),
})

export type UploadingOptions = v.InferOutput<typeof optionsSchema>

const given = v.parse(optionsSchema, JSON.parse(process.argv[2] ?? ''))
const source = await openSqlite(given.file)
const admin = await createAdmin({
  // Without a history, which would keep replaced files, only rows refer to files.
  source: Object.assign(source, { recording: undefined }),
  ...{ dataFolder: given.dataFolder, auth: HOST_SIGN_IN, write: true },
  env: { TABLEWIRE_SECRET: 'known to the tests alone 0123456789' },
  definitions: { strikes: { columns: { photo: { kind: 'image', storage: 'local' } } } },
  now: () => Date.now() + given.aheadMs,
  ...(given.s3 && { s3: given.s3 }),
})
const origin = await admin.app.listen({ host: '127.0.0.1', port: 0 })
people.set('ana', ANA)
const ana = browse(origin, 'host=ana')

async function upload(row: number): Promise<void> {
  const shown = await ana.page(`/tables/strikes/records/${row}?edit=on`)
  const part = shown.components.find(({ name }) => name === 'form')
  if (!part) throw new Error('There is no form.')
  let { snapshot } = part
  const call = async (method: string, ...params: Json[]): Promise<Json> => {
    const one = { snapshot, updates: {}, calls: [{ method, params }] }
    const answer = await ana.post(
      shown.updateUrl,
      JSON.stringify({ _token: shown.csrf, components: [one] }),
      { [HEADERS.idempotencyKey]: randomUUID() },
    )
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`)
    // Its own server answers.
    const { components } = (await answer.json()) as UpdateResponse
    snapshot = components[0]?.snapshot ?? snapshot
    return components[0]?.effects.returns?.[0] ?? null
  }
  const bytes = bytesFor(row)
  const facts = { name: `${row}.png`, size: bytes.byteLength, type: TYPE }
  const address = readAddress(await call(UPLOAD_CALLS.start, 'files.photo', [facts], false))
  const { url, paths, put } = address
  if (given.s3 && !put) throw new Error('It is not put into S3.')
  const send = async (method: string, body: BodyInit | null, own: Record<string, string> = {}) => {
    const headers = { origin, 'x-csrf-token': shown.csrf, 'x-requested-with': 'XMLHttpRequest' }
    const answer = await ana.ask(url, { method, body, headers: { ...headers, ...own } })
    if (!answer.ok) throw new Error(`${method}: ${answer.status} ${await answer.text()}`)
  }
  if (put) {
    const headers = { ...put.headers, origin }
    const answer = await fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers })
    if (!answer.ok) throw new Error(`PUT: ${answer.status} ${await answer.text()}`)
  } else if (row === ROWS[0]) {
    const form = new FormData()
    form.append(UPLOAD_PART, new Blob([new Uint8Array(bytes)], { type: TYPE }), facts.name)
    await send('POST', form)
  } else {
    await send('POST', null, { [UPLOAD_HEADERS.length]: String(bytes.byteLength) })
    for (let at = 0; at < bytes.byteLength; at += PIECE)
      await send('PATCH', new Uint8Array(bytes.subarray(at, at + PIECE)), {
        'content-type': 'application/offset+octet-stream',
        [UPLOAD_HEADERS.offset]: String(at),
      })
  }
  await call(UPLOAD_CALLS.finish, 'files.photo', [...paths], false)
  const seen = { photo: photoOf(row) }
  const saved = await call('save', { photo: paths[0] ?? null }, seen, null)
  if (!isSaved(saved)) throw new Error(JSON.stringify(saved))
  console.log(row)
}

/** What the row holds, as its form shows it. */
function photoOf(row: number): string | null {
  const database = new DatabaseSync(given.file, { readOnly: true })
  const found = database.prepare('select photo from strikes where id = ?').get(row)
  database.close()
  return v.parse(v.nullable(v.string()), found?.['photo'])
}

const isSaved = (result: Json): boolean =>
  v.is(v.looseObject({ status: v.literal('saved') }), result)

if (given.uploads) {
  const { dieAt, steps } = given
  if (given.isLate) keepLate()
  const step = countSteps({
    ...{ dieAt, isArmed: true },
    seen: (text) => steps !== null && appendFileSync(steps, `${text}\n`),
  })
  countDiskSteps(step)
  for (const row of ROWS) await upload(row)
}
await admin.close()
