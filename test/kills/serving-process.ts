/** A server in a process of its own, which is killed at a step of its first write; prints where it is. */

import * as v from 'valibot'
import { createAdmin } from '../../src/admin/compose/create-admin.ts'
import { openDatabase } from '../../src/cli/open-database.ts'
import type { RecorderModule, Recording } from '../../src/table/source/recorder.ts'
import type { DyingOptions } from './dying-recorder.ts'

const optionsSchema = v.object({
  file: v.string(),
  dataFolder: v.string(),
  port: v.number(),
  /** How the step begins before which the process is killed; `null`: it lives. */
  dieAt: v.nullable(v.string()),
})

export type ServingOptions = v.InferOutput<typeof optionsSchema>

const given = v.parse(optionsSchema, JSON.parse(process.argv[2] ?? ''))
const { file, dataFolder, port, dieAt } = given
const source = await openDatabase(file)
const { recording } = source
if (recording?.by !== 'thread') throw new Error('The file is not written by a thread.')
const dying: Recording = {
  ...recording,
  use({ options: kept }: RecorderModule) {
    const options: DyingOptions = { kept, dieAt, steps: null, isLate: false }
    recording.use({ url: new URL('dying-recorder.ts', import.meta.url).href, options })
  },
}
const admin = await createAdmin({
  ...{ source: Object.assign(source, { recording: dying }), dataFolder, write: true },
})
const origin = await admin.app.listen({ host: '127.0.0.1', port })
// Whoever has signed in already is still.
const isNew = (await admin.accounts.administrator()) === undefined
const link = isNew ? await admin.accounts.issueLink({ role: 'admin' }) : ''
console.log(JSON.stringify({ origin, link }))
