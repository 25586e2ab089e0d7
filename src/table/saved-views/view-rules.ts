/** Who may change which saved view, and when nothing is written. */

import {
  TABS_MAX,
  VIEW_NAME_MAX,
  VIEWS_MAX,
  type ViewSettings,
} from '../../protocol/saved-views.ts'
import { messagesFor } from '../../messages/messages.ts'
import type { Actor } from '../../server/actor.ts'
import { AppError } from '../../server/app-error.ts'
import type { Reader } from '../../server/http/locale.ts'
import { formatterFor } from '../format.ts'
import type { StoredView } from './view-records.ts'

/** Whether somebody decides with what a table opens for everyone, about tabs, and everyone's order. */
export const mayDecide = ({ role }: Actor): boolean => role === 'admin'

/** Everyone's views are changed by who saved them and by administrators. */
export const mayChange = ({ ownerId, by }: StoredView, actor: Actor): boolean =>
  ownerId === null ? by.id === actor.id || mayDecide(actor) : ownerId === actor.id

/** Why nothing is written, and whether that is about the name. */
export type Refused = { readonly refused: string; readonly isName: boolean }

/** The view that a person wants to change, and when the one that they saw was changed last. */
export type SeenView = { readonly view: string; readonly seen: number }

/** The view, unless somebody has changed or removed it since. Throws `FORBIDDEN`. */
export function changeable(
  views: readonly StoredView[],
  { view: id, seen }: SeenView,
  { actor, reader }: { actor: Actor; reader: Reader },
): StoredView | Refused {
  const { savedViews: words } = messagesFor(reader.language)
  const view = views.find((one) => one.id === id)
  if (!view) return { refused: words.gone, isName: false }
  if (!mayChange(view, actor)) throw new AppError('FORBIDDEN')
  return view.changedAt === seen ? view : { refused: words.changed(view.name), isName: false }
}

/** What is to be written of `settings`, in place of `before`. Throws `FORBIDDEN`. */
export function settled(
  views: readonly StoredView[],
  settings: ViewSettings,
  { actor, before, reader }: { actor: Actor; before?: StoredView | undefined; reader: Reader },
): Refused | Pick<StoredView, 'name' | 'ownerId' | 'isDefault' | 'isTab'> {
  const { savedViews: words } = messagesFor(reader.language)
  const { number } = formatterFor(reader)
  const { isShared, isDefault } = settings
  const isTab = isShared && settings.isTab
  // It becomes its author's own.
  if (!isShared && before && before.by.id !== actor.id) throw new AppError('FORBIDDEN')
  assertDecided({ isShared, isDefault, isTab }, before, actor)
  const name = settings.name.trim()
  const ownerId = isShared ? null : actor.id
  const others = views.filter((one) => one.ownerId === ownerId && one.id !== before?.id)
  const refuse = (refused: string, isName = false) => ({ refused, isName })
  if (name === '') return refuse(words.noName, true)
  if (name.length > VIEW_NAME_MAX) return refuse(words.longName(number(VIEW_NAME_MAX)), true)
  const spelled = (text: string) => text.toLowerCase()
  if (others.some((one) => spelled(one.name) === spelled(name)))
    return refuse(words.taken(name), true)
  if (others.length >= VIEWS_MAX) return refuse(words.tooMany(number(VIEWS_MAX)))
  if (isTab && others.filter((one) => one.isTab).length >= TABS_MAX)
    return refuse(words.tooManyTabs(number(TABS_MAX)))
  return { name, ownerId, isDefault, isTab }
}

/** What concerns everyone is said by administrators, and stays as it is where others change a view. */
function assertDecided(
  { isShared, ...wanted }: Pick<ViewSettings, 'isShared' | 'isDefault' | 'isTab'>,
  before: StoredView | undefined,
  actor: Actor,
): void {
  if (!isShared || mayDecide(actor)) return
  const was = before?.ownerId === null ? before : { isDefault: false, isTab: false }
  if (wanted.isDefault !== was.isDefault || wanted.isTab !== was.isTab)
    throw new AppError('FORBIDDEN')
}
