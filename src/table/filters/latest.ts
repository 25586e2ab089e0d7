/** Runs only the latest question of each name: a newer one about something else cancels it. */

type Question<Answer> = {
  /** What it asks; the same text for the same question. */
  readonly about: string
  /** Aborted once nobody waits for the answer, or another question has taken its place. */
  readonly signal: AbortSignal
  readonly stop: AbortController
  readonly answer: Promise<Answer>
}

/** The running questions of one kind, by name. */
export type Questions<Answer> = Map<string, Question<Answer>>

/**
 * The answer. Whoever asks the same under the same name while it runs receives the same answer. `null` if
 * the question was cancelled, though this caller still waits: then they may ask again.
 */
export async function latest<Answer>(
  questions: Questions<Answer>,
  { name, about, signal }: { name: string; about: string; signal: AbortSignal },
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer | null> {
  const running = questions.get(name)
  const isSame = running?.about === about && !running.signal.aborted
  if (!isSame) running?.stop.abort()
  const question = isSame ? running : begin(about, signal, ask)
  questions.set(name, question)
  try {
    return await question.answer
  } catch (error) {
    if (question.signal.aborted && !signal.aborted) return null
    throw error
  } finally {
    if (questions.get(name) === question) questions.delete(name)
  }
}

function begin<Answer>(
  about: string,
  caller: AbortSignal,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Question<Answer> {
  const stop = new AbortController()
  const signal = AbortSignal.any([caller, stop.signal])
  return { about, signal, stop, answer: ask(signal) }
}
