/** Keeps entries in a writer thread that is killed at a step; a twin keeps them only after the commit. */

import * as v from 'valibot'
import { appendFileSync } from 'node:fs'
import { createRecorder as createKept } from '../../src/database/ledger/thread-recorder.ts'
import type { SyncRecorder } from '../../src/table/source/recorder.ts'
import { countSteps } from './steps.ts'

const optionsSchema = v.object({
  kept: v.unknown(),
  dieAt: v.nullable(v.union([v.number(), v.string()])),
  steps: v.nullable(v.string()),
  isLate: v.boolean(),
})

export type DyingOptions = v.InferOutput<typeof optionsSchema>

export function createRecorder(options: unknown): SyncRecorder {
  const { kept, dieAt, steps, isLate } = v.parse(optionsSchema, options)
  countSteps({ dieAt, seen: (step) => steps !== null && appendFileSync(steps, `${step}\n`) })
  const recorder = createKept(kept)
  return isLate ? late(recorder) : recorder
}

function late(recorder: SyncRecorder): SyncRecorder {
  const waiting: (() => void)[] = []
  return {
    record: (request, run) => void waiting.push(() => recorder.record(request, run)),
    settle(id, state) {
      for (const record of waiting.splice(0)) record()
      recorder.flush?.()
      recorder.settle?.(id, state)
    },
  }
}
