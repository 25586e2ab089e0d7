/** Takes a change to very many rows back as a job: step by step, in the order in which its images stand. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { ChangeDoor } from '../changes/door.ts'
import { isOfOthers } from '../changes/change.ts'
import type { Entry, Ledger } from '../changes/ledger.ts'
import { imagesFrom, imagesIn, inSteps, rowsBack } from '../changes/undo.ts'
import { formatterFor } from '../format.ts'
import { defineJob, type JobKind } from '../jobs/job-kind.ts'
import type { JobRun } from '../source/job-engine.ts'
import type { ImageChunk } from '../source/ledger-entry.ts'

/** Images of one step. */
const STEP_IMAGES = 2000
/** How often a step is tried; each time, rows have changed meanwhile. */
const TRIES = 5
/** Rows that the database refuses are looked for one by one, until there are so many. */
const MOST_SINGLED_OUT = 200

export const UNDO_JOB = 'undo'

const inputSchema = v.object({ ...{ entry: v.string(), title: v.string(), rows: v.number() } })
const reached = v.object({
  /** Images that lie behind. */
  done: v.number(),
  back: v.number(),
  /** Rows that stay as they are. */
  left: v.number(),
})

export const undoJobInput = (input: v.InferOutput<typeof inputSchema>): Json => input

type Reached = v.InferOutput<typeof reached>

const readReached = (checkpoint: Json): Reached =>
  checkpoint === null ? { done: 0, back: 0, left: 0 } : v.parse(reached, checkpoint)

export type UndoJobServices = {
  readonly door: ChangeDoor
  readonly ledger: Ledger
  /** Images of one step. Default: `STEP_IMAGES`. */
  readonly stepImages?: number | undefined
}

export const createUndoJob = ({
  door,
  ledger,
  stepImages = STEP_IMAGES,
}: UndoJobServices): JobKind =>
  defineJob({
    name: UNDO_JOB,
    label: ({ language }) => messagesFor(language).history.undo.job.label,
    title: (input) => v.parse(inputSchema, input).title,
    result: ({ checkpoint }, reader) => tellReached(readReached(checkpoint), reader),
    async run(run, { input, actor }) {
      const { entry: id, rows: total } = v.parse(inputSchema, input)
      const entry = await ledger.find(id)
      if (entry?.state !== 'done') throw new AppError('NOT_FOUND')
      const at = readReached(run.checkpoint)
      const working: Working = { ...{ door, run, actor, entry, total, at }, singledOut: 0 }
      let place = 0
      for await (const all of inSteps(ledger.chunks(id), stepImages)) {
        const images = imagesFrom(all, working.at.done - place)
        place += imagesIn(all)
        run.signal.throwIfAborted()
        if (images.length > 0) await undoStep(working, images)
      }
      return null
    },
  })

type Working = {
  readonly door: ChangeDoor
  readonly run: Omit<JobRun, 'input'>
  readonly actor: Actor
  readonly entry: Entry
  readonly total: number
  at: Reached
  singledOut: number
}

/**
 * Rows that have changed since, or that the database does not take back, stay as they are: a step that is refused is
 * halved until they stand alone.
 */
async function undoStep(working: Working, images: readonly ImageChunk[]): Promise<void> {
  const { door, run, actor, entry, total, at } = working
  const stepTo = (next: Reached) => ({ checkpoint: next, progress: { done: next.done, total } })
  const count = imagesIn(images)
  for (let tries = 1; ; tries++) {
    const undo = await door.undoSome(actor, entry, images)
    const [back, left] = [rowsBack(undo.plan.change), undo.left.length]
    if (back === 0) break
    const next = { done: at.done + count, back: at.back + back, left: at.left + left }
    const outcome = await run.write(stepTo(next), (step) =>
      door.apply({ ...undo.plan, entry: { ...undo.plan.entry, step } }),
    )
    if (outcome.status === 'done') {
      working.at = next
      return
    }
    if (outcome.problems.some(isOfOthers) && tries < TRIES) continue
    if (count > 1 && working.singledOut < MOST_SINGLED_OUT) {
      const half = Math.ceil(count / 2)
      await undoStep(working, imagesFrom(images, 0, half))
      await undoStep(working, imagesFrom(images, half))
      return
    }
    working.singledOut += count
    break
  }
  const next = { ...at, done: at.done + count, left: at.left + count }
  await run.save(stepTo(next))
  working.at = next
}

function tellReached({ back, left }: Reached, reader: Reader): string {
  const { undo } = messagesFor(reader.language).history
  const amount = (count: number) => ({ count, text: formatterFor(reader).number(count) })
  return [undo.done(amount(back)), ...(left > 0 ? [undo.job.left(amount(left))] : [])].join(' ')
}
