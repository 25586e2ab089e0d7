/** Asks a bucket, as a browser would, whether it takes files from the pages of an origin. */

/** How long an answer holds, ms: what is missing is soon set right. */
const HOLDS_MS = { yes: 10 * 60_000, no: 60_000 }
const ANSWER_MS = 5000
/** Origins whose answers are kept. */
const KEPT = 20

export type CorsCheckOptions = {
  /** An address that files are put to. */
  readonly url: string
  readonly bucket: string
  /** Types of headers that a PUT has. */
  readonly headers: readonly string[]
  readonly now: () => number
  readonly log: (line: string) => void
}

type Answer = { readonly isTaken: Promise<boolean>; until: number }

/** Returns whether files are taken; logs once for each origin that they are not, and why. */
export function createCorsCheck(options: CorsCheckOptions): (origin: string) => Promise<boolean> {
  const { now, log, bucket } = options
  const answers = new Map<string, Answer>()
  const told = new Set<string>()

  async function ask(origin: string): Promise<boolean> {
    const missing = await missingOf(options, origin)
    if (missing === undefined) told.delete(origin)
    // An unreachable bucket is told of by what fails next.
    if (missing === undefined || missing === 'answer') return missing === undefined
    if (!told.has(origin) && told.size < KEPT)
      log(
        `Files go through this server, because the CORS rule of the bucket [${bucket}] lacks ${missing} for pages of ${origin}: docs/uploads.md has the rule.`,
      )
    told.add(origin)
    return false
  }

  return async (origin) => {
    const before = answers.get(origin)
    if (before && now() < before.until) return before.isTaken
    if (answers.size >= KEPT) answers.clear()
    const answer: Answer = { isTaken: ask(origin), until: now() + HOLDS_MS.yes }
    answers.set(origin, answer)
    if (!(await answer.isTaken)) answer.until = now() + HOLDS_MS.no
    return answer.isTaken
  }
}

/** The part of the rule that is missing; `answer` if the bucket does not answer. */
async function missingOf(
  { url, headers }: CorsCheckOptions,
  origin: string,
): Promise<string | undefined> {
  const answer = await fetch(url, {
    method: 'OPTIONS',
    redirect: 'manual',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': headers.join(','),
    },
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => undefined)
  if (!answer || answer.status >= 500) return 'answer'
  const allowed = (name: string) =>
    (answer.headers.get(`access-control-allow-${name}`) ?? '').toLowerCase().split(/\s*,\s*/)
  const allows = (name: string, wanted: string) =>
    answer.ok && allowed(name).some((one) => one === '*' || one === wanted.toLowerCase())
  if (!allows('origin', origin)) return 'AllowedOrigins'
  if (!allows('methods', 'PUT')) return 'AllowedMethods: PUT'
  const header = headers.find((name) => !allows('headers', name))
  return header && `AllowedHeaders: ${header}`
}
