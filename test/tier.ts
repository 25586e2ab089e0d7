/**
 * How much a run tries, by `TABLEWIRE_TIER`: `plain` (`npm test`), `nightly` or `release`. Suites
 * that can try more read their counts here and nowhere else.
 */

const TIERS = {
  plain: {
    hostileCases: 32_000,
    hostileSteps: 4,
    peopleCases: 200,
    simulations: 500,
    times: 1,
    depthRows: 20_000,
    floodMs: 3000,
    walkedRows: 60,
    walkedSteps: 40,
    memoryRows: 200_000,
    reorderRounds: 10,
    randomMoves: 100,
    kills: 20,
    uploadKills: 8,
    killedRows: 120,
    randomChanges: 60,
    editedPairs: 40,
    plannedRounds: 24,
    shiftMs: 12_000,
    shiftLoss: 0.1,
  },
  nightly: {
    hostileCases: 250_000,
    hostileSteps: 1,
    peopleCases: 5000,
    simulations: 20_000,
    times: 10,
    depthRows: 1_000_000,
    floodMs: 60_000,
    walkedRows: 700,
    walkedSteps: 1,
    memoryRows: 1_000_000,
    reorderRounds: 500,
    randomMoves: 10_000,
    kills: 300,
    uploadKills: 300,
    killedRows: 100_000,
    randomChanges: 5000,
    editedPairs: 5000,
    plannedRounds: 5000,
    shiftMs: 600_000,
    shiftLoss: 0.01,
  },
  release: {
    hostileCases: 1_000_000,
    hostileSteps: 1,
    peopleCases: 20_000,
    simulations: 200_000,
    times: 50,
    depthRows: 10_000_000,
    floodMs: 60_000,
    walkedRows: 700,
    walkedSteps: 1,
    memoryRows: 1_000_000,
    reorderRounds: 500,
    randomMoves: 10_000,
    kills: 300,
    uploadKills: 300,
    killedRows: 100_000,
    randomChanges: 5000,
    editedPairs: 5000,
    plannedRounds: 5000,
    shiftMs: 600_000,
    shiftLoss: 0.01,
  },
} as const

const isTier = (name: string): name is keyof typeof TIERS => Object.hasOwn(TIERS, name)

const name = process.env['TABLEWIRE_TIER'] ?? 'plain'
if (!isTier(name)) {
  const known = Object.keys(TIERS).join(', ')
  throw new Error(`TABLEWIRE_TIER is [${name}]; it takes one of ${known}.`)
}
const tier = TIERS[name]

/** Whether this is the run that everybody waits for, which tries the same cases every time. */
export const isPlain = name === 'plain'

/** The seed of a run that its closing report has printed, to repeat it; `null` if none is asked for. */
export const GIVEN_SEED: number | null =
  process.env['TABLEWIRE_SEED'] === undefined ? null : Number(process.env['TABLEWIRE_SEED'])

// Greater runs try other cases each time. The first process to draw tells those that it starts.
if (!isPlain) process.env['TABLEWIRE_DRAWN_SEED'] ??= String(Date.now() % 2 ** 31)

/** The seed of all that is random: the same in every plain run. */
export const SEED: number =
  GIVEN_SEED ?? (isPlain ? 20_260_917 : Number(process.env['TABLEWIRE_DRAWN_SEED']))

/** Hostile requests to be sent, all families together. */
export const HOSTILE_CASES: number = tier.hostileCases

/** Of a long series of hostile cases, a run tries one in so many. */
export const HOSTILE_STEPS: number = tier.hostileSteps

/** Tries at the ways in of people, and at what they may do while their role changes. */
export const PEOPLE_CASES: number = tier.peopleCases

/** Seeds that the simulator of several clients runs. */
export const SIMULATIONS: number = tier.simulations

/** Rows of the tables whose pages must cost the same at any depth. */
export const DEPTH_ROWS: number = tier.depthRows

/** How long a flood of sign-ins lasts, ms. */
export const FLOOD_MS: number = tier.floodMs

/** Least rows of the tables, if not empty, of public applications whose lists are walked. */
export const WALKED_ROWS: number = tier.walkedRows

/** Of the orders of such a list, one in so many is walked. */
export const WALKED_STEPS: number = tier.walkedSteps

/** Rows of the table on a server whose searches, sorts, counts and pages must take little memory. */
export const MEMORY_ROWS: number = tier.memoryRows

/** Rounds of people who reorder, add and delete rows at once. */
export const REORDER_ROUNDS: number = tier.reorderRounds

/** Random moves over which rows that are written are counted. */
export const RANDOM_MOVES: number = tier.randomMoves

/** Random changes to each engine's rows, which are then taken back. */
export const RANDOM_CHANGES: number = tier.randomChanges

/** Pairs of people on each engine who edit one row at once. */
export const EDITED_PAIRS: number = tier.editedPairs

/** Plans on each engine that are written while others write. */
export const PLANNED_ROUNDS: number = tier.plannedRounds

/** How often a process that writes is killed. */
export const KILLS: number = tier.kills

/** How often a process that uploads is killed. */
export const UPLOAD_KILLS: number = tier.uploadKills

/** Rows of the jobs during which it is killed. */
export const KILLED_ROWS: number = tier.killedRows

/** How long a scripted shift on a slow network works, ms. */
export const SHIFT_MS: number = tier.shiftMs

/** Which share of its requests is lost: of a short shift more, so that some are. */
export const SHIFT_LOSS: number = tier.shiftLoss

/** Runs of a property: in greater runs many times `count`, in a plain one `plain`. */
export const runs = (count: number, plain = count): number =>
  isPlain ? Math.min(count, plain) : count * tier.times

/** Time for a test that takes at most `ms` in a plain run, in ms. */
export const within = (ms: number): number => ms * tier.times
