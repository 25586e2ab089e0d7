/** Takes a change to very many rows back as a job: step by step, in the order in which its images stand. */

import * as v from 'valibot'
import { messagesFor } from '../../messages/messages.ts'
import type { Json } from '../../protocol/json.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { ChangeDoor } from '../changes/door.ts'
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
      let at = readReached(run.checkpoint)
      let place = 0
      for await (const all of inSteps(ledger.chunks(id), stepImages)) {
        const images = imagesFrom(all, at.done - place)
        place += imagesIn(all)
        run.signal.throwIfAborted()
        if (images.length > 0) at = await undoStep({ door, run, actor, entry, total, at }, images)
      }
      return null
    },
  })

type Step = {
  readonly door: ChangeDoor
  readonly run: Omit<JobRun, 'input'>
  readonly actor: Actor
  readonly entry: Entry
  readonly total: number
  readonly at: Reached
}

/** Rows that have changed since, or that the database does not take back, stay as they are. */
async function undoStep(
  { door, run, actor, entry, total, at }: Step,
  images: readonly ImageChunk[],
): Promise<Reached> {
  const stepTo = (next: Reached) => ({ checkpoint: next, progress: { done: next.done, total } })
  for (let tries = 1; tries <= TRIES; tries++) {
    const undo = await door.undoSome(actor, entry, images)
    const [back, left] = [rowsBack(undo.plan.change), undo.left.length]
    if (back === 0) break
    const next = { done: at.done + imagesIn(images), back: at.back + back, left: at.left + left }
    const outcome = await run.write(stepTo(next), (step) =>
      door.apply({ ...undo.plan, entry: { ...undo.plan.entry, step } }),
    )
    if (outcome.status === 'done') return next
  }
  const next = { ...at, done: at.done + imagesIn(images), left: at.left + imagesIn(images) }
  await run.save(stepTo(next))
  return next
}

function tellReached({ back, left }: Reached, reader: Reader): string {
  const { undo } = messagesFor(reader.language).history
  const amount = (count: number) => ({ count, text: formatterFor(reader).number(count) })
  return [undo.done(amount(back)), ...(left > 0 ? [undo.job.left(amount(left))] : [])].join(' ')
}
