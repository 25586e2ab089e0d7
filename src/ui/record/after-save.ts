/** What is left of a form after a save: what was typed while that was under way. */

import type { LinesView, LineView, SavedKeys } from '../../protocol/form-sections.ts'
import type { FormView } from '../../protocol/form-view.ts'
import type { Typed } from './drafts.ts'
import { type Edits, type Texts, withReadings } from './edits.ts'
import type { LineEdit, LinesEdits } from './line-edits.ts'
import { type LinksEdits, NO_LINKS } from './section-edits.ts'

export type Saving = {
  /** What was saved, and what the form holds now. */
  readonly sent: Typed
  readonly now: Typed
  /** Keys of the lines that were saved, by section and their ids in the form; those that are known. */
  readonly keys: SavedKeys
}

/** `view`: the form as it is drawn after the save. */
export function leftAfter({ sent, now, keys }: Saving, view: FormView): Typed {
  const stored = (name: string) => view.fields.find((field) => field.name === name)?.text ?? null
  const lines = Object.keys({ ...sent.sections.lines, ...now.sections.lines }).map(
    (name) =>
      [
        name,
        leftLines(
          { sent: sent.sections.lines[name], now: now.sections.lines[name] },
          keys[name] ?? {},
          view.lines.find((one) => one.name === name),
        ),
      ] as const,
  )
  const links = Object.keys({ ...sent.sections.links, ...now.sections.links }).map(
    (name) => [name, leftLinks(sent.sections.links[name], now.sections.links[name])] as const,
  )
  return {
    edits: leftEdits(sent.edits, now.edits, stored),
    ...(now.labels && { labels: now.labels }),
    sections: {
      lines: Object.fromEntries(
        lines.filter(([, one]) => one.lines.length > 0 || one.order !== null),
      ),
      links: Object.fromEntries(
        links.filter(([, one]) => one.added.length + one.removed.length > 0),
      ),
    },
  }
}

/** A field that was saved and typed into again was seen as it was saved, however the database writes that. */
function leftEdits(sent: Edits, now: Edits, stored: (name: string) => string | null): Edits {
  const texts: Record<string, string | null> = {}
  const seen: Record<string, string | null> = {}
  for (const name of Object.keys({ ...sent.texts, ...now.texts })) {
    const text = (name in now.texts ? now.texts[name] : sent.seen[name]) ?? null
    const wasSaved = name in sent.texts
    if (wasSaved && text === sent.texts[name]) continue
    texts[name] = text
    seen[name] = wasSaved ? stored(name) : (now.seen[name] ?? null)
  }
  const readings = Object.entries({ ...sent.readings, ...now.readings })
  return {
    ...{ texts, seen },
    ...withReadings(Object.fromEntries(readings.filter(([name]) => name in texts))),
  }
}

const NONE: LinesEdits = { lines: [], order: null }

function leftLines(
  { sent = NONE, now = NONE }: { sent: LinesEdits | undefined; now: LinesEdits | undefined },
  keys: { readonly [id: string]: string },
  view: LinesView | undefined,
): LinesEdits {
  const keyOf = (id: string) => keys[id] ?? id
  const wasSaved = ({ isNew, id }: LineEdit) => !isNew || id in keys
  const saved = new Map(sent.lines.filter(wasSaved).map((line) => [line.id, line]))
  const ids = new Set([...saved.keys(), ...now.lines.map(({ id }) => id)])
  const lines = [...ids].flatMap((id): LineEdit[] => {
    const line = now.lines.find((one) => one.id === id)
    const before = saved.get(id)
    if (!before) return line ? [line] : []
    const row = view?.rows.find(({ key }) => key === keyOf(id))
    if (before.isRemoved) return []
    if (row) return leftLine(before, line, row)
    // Somebody has removed it since.
    return line ? [{ ...line, id: keyOf(id), isNew: false }] : []
  })
  const isMoved = now.order !== null && now.order.ids.join('\n') !== sent.order?.ids.join('\n')
  const seen = view?.rows.map(({ key }) => key) ?? []
  return { lines, order: isMoved ? { seen, ids: now.order.ids.map(keyOf) } : null }
}

/** A line that was saved, and is a stored one now. `now` is `undefined` if nothing in it is changed any more. */
function leftLine(
  before: LineEdit,
  now: LineEdit | undefined,
  { key, texts: stored, fixed = [] }: LineView,
): LineEdit[] {
  const { texts } = leftEdits(
    before,
    now ?? { texts: {}, seen: {} },
    (name) => stored[name] ?? null,
  )
  // A new line that was taken out meanwhile has left the form, and stands in the database.
  const isRemoved = now ? now.isRemoved : before.isNew
  const seen: Texts = Object.fromEntries(
    Object.entries(stored).filter(([name]) => !fixed.includes(name)),
  )
  return isRemoved || Object.keys(texts).length > 0
    ? [{ id: key, isNew: false, isRemoved, texts: isRemoved ? {} : texts, seen }]
    : []
}

function leftLinks(sent: LinksEdits = NO_LINKS, now: LinksEdits = NO_LINKS): LinksEdits {
  const isIn = (links: LinksEdits['added'], text: string) => links.some((one) => one.text === text)
  return {
    added: [
      ...now.added.filter(({ text }) => !isIn(sent.added, text)),
      ...sent.removed.flatMap((text) =>
        now.removed.includes(text) ? [] : [{ text, label: null }],
      ),
    ],
    removed: [
      ...now.removed.filter((text) => !sent.removed.includes(text)),
      ...sent.added.flatMap(({ text }) => (isIn(now.added, text) ? [] : [text])),
    ],
  }
}

/** Whether nothing was typed. */
export const isNothing = ({ edits, sections: { lines, links } }: Typed): boolean =>
  [edits.texts, lines, links].every((all) => Object.keys(all).length === 0)
