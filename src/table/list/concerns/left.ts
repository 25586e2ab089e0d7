/** Left rows: narrows a list to the rows that a plan has not written, with the reasons. */

import * as v from 'valibot'
import { messagesFor } from '../../../messages/messages.ts'
import type { LeftView } from '../../../protocol/plan-view.ts'
import type { Reader } from '../../../server/http/locale.ts'
import { AppError } from '../../../server/app-error.ts'
import { badParameter, clip } from '../../address-error.ts'
import { formatterFor } from '../../format.ts'
import {
  findLeft,
  type FoundLeft,
  isLeftName,
  LEFT,
  MOST_REASONS,
  nameOfReason,
} from '../../plans/left-rows.ts'
import { nothing } from '../../source/predicate.ts'
import { defineConcern, type Ready } from '../concern.ts'

function foundIn({ prepared }: Ready, left: string): FoundLeft | null {
  // All rows in place of some would be the worst answer.
  if (prepared.left?.name !== left) throw new AppError('NOT_FOUND')
  return prepared.left.found
}

export const leftRows = defineConcern({
  name: 'left',
  /** The plan, and the place of one of its reasons. */
  state: { left: v.nullable(v.string()) },
  initial: { left: null },
  address: {
    names: [LEFT],
    owns: (name) => name === LEFT,
    read(query) {
      const left = query.get(LEFT)
      if (left === null || isLeftName(left)) return { left }
      throw badParameter(({ address }) => address.unknown(clip(left), LEFT))
    },
    write: ({ left }) => (left === null ? [] : [[LEFT, left]]),
  },
  // An order is that of all rows.
  presented: (_state, { order }) => (order ? { left: null } : {}),
  prepare: ({ left }, open, store) =>
    left === null
      ? undefined
      : findLeft(open, left, store).then((found) => ({ left: { name: left, found } })),
  where: ({ left }, open) => (left === null ? [] : [foundIn(open, left)?.where ?? nothing]),
  async narrowedBy({ state: { left }, opened, language }) {
    const { left: words } = messagesFor(language).sealing
    const none = { left: null }
    if (left === null) return { conditions: [], none }
    const plan = foundIn(opened, left)?.title
    const value = plan === undefined ? words.gone : words.title(plan)
    return { conditions: [{ label: words.rows, value, without: none }], none }
  },
  actions: {},
  load: async ({ state: { left }, opened }) => (left === null ? null : foundIn(opened, left)),
  view: ({ state: { left }, data, reader, href }): { left?: LeftView } =>
    left === null ? {} : { left: drawLeft(left, { found: data, reader, href }) },
})

type Drawing = {
  readonly found: FoundLeft | null
  readonly reader: Reader
  href(change: { left: string | null }): string
}

/** `left` names the plan, and one of its reasons where its rows alone are shown. */
export function drawLeft(left: string, { found, reader, href }: Drawing): LeftView {
  const { left: words } = messagesFor(reader.language).sealing
  const { number } = formatterFor(reader)
  const allHref = href({ left: null })
  const none = { reasons: [], otherReasons: null, wholeHref: null, again: null }
  if (!found) return { ...none, title: words.gone, allHref }
  const { plan, title, reasons, reason, asked } = found
  const told = [...reasons.entries()].filter(([at]) => at < MOST_REASONS || at === reason)
  const others = reasons.length - told.length
  return {
    title: words.title(title),
    reasons: told.map(([at, [text, count]]) => ({
      ...{ text, count: number(count), href: href({ left: nameOfReason(plan, at) }) },
      isShown: reason === at,
    })),
    otherReasons: others > 0 ? words.others({ count: others, text: number(others) }) : null,
    allHref,
    wholeHref: reason === null ? null : href({ left: plan }),
    again: asked ? { label: words.again(title), ask: asked } : null,
  }
}
