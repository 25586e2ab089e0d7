/** Checks the pages, components and channels of a configuration before anything is served. */

import { type AnyChannel, beginningOf } from '../../server/channel/channel.ts'
import type { AnyComponent } from '../../server/component/define.ts'
import type { Rendering } from '../../server/http/load-renderer.ts'
import { isSource, SOURCE_KINDS } from '../../server/http/sources.ts'
import { entriesOf, isPlainObject, unknown, wrong } from '../../table/definition/fields.ts'
import {
  DefinitionError,
  type Problem,
  quoted,
  report,
  within,
} from '../../table/definition/problems.ts'
import { JOB_CHANNEL } from '../../table/jobs/job-channel.ts'
import { VIEWS_CHANNEL } from '../../table/saved-views/view-channel.ts'
import { TABLE_CHANNEL } from '../../table/table-channel.ts'
import { isReserved } from '../addresses.ts'
import { type Page, PAGE_OPTIONS } from '../pages/page.ts'
import { SHELL_ID } from '../pages/page-sender.ts'
import { PRESENCE_CHANNELS } from '../realtime/presence.ts'
import { OWN_PAGES, undrawnPages } from './check-client.ts'
import { checkEvents, checkParams, type PlacedComponent } from './check-wiring.ts'

/** Names of the admin's own components. */
const OWN_COMPONENTS = ['list', 'record', 'presence', 'shell']

export type Added = {
  readonly pages: readonly Page[]
  readonly components: readonly AnyComponent[]
  readonly channels: readonly AnyChannel[]
}

/** The pages that the client draws, and the names in its `defineClient`. */
export type Drawing = Pick<Rendering, 'pages' | 'added'>

/** Throws `DefinitionError` with every mistake. */
export async function assertParts(added: Added, drawing: Drawing): Promise<void> {
  const problems = [
    ...checkComponents(added.components),
    ...checkPages(added.pages),
    ...checkChannels(added.channels),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
  const taken = added.pages.flatMap(({ name }, at) =>
    OWN_PAGES.includes(name)
      ? report(
          `pages[${at}].name`,
          `${quoted(name)} is a page of the admin’s own. Use another name.`,
        )
      : [],
  )
  const missing = undrawnPages(added.pages, drawing.pages, drawing.added)
  const placed = placedComponents(added)
  const wired = [...checkEvents(placed), ...(await checkParams(added.pages))]
  const all = [...taken, ...checkNames(placed), ...wired, ...missing]
  if (all.length > 0) throw new DefinitionError(all)
}

/** Every mistake in `components` of a configuration; `value` may be anything. */
export function checkComponents(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [wrong('components', 'a list of components', value)]
  return value.flatMap((component: unknown, at) =>
    isComponent(component)
      ? []
      : wrong(`components[${at}]`, 'a component, as defineComponent makes it', component),
  )
}

/** Patterns of channels: a beginning that asks for rights, then parts between dots, some in braces. */
const PATTERN =
  /^(?:private|presence)-(?!encrypted-|cache-)(?:[\w-]+|\{\w+\})(?:\.(?:[\w-]+|\{\w+\}))*$/
/** What the admin's own channels begin with. */
const OWN_CHANNELS = [TABLE_CHANNEL, JOB_CHANNEL, VIEWS_CHANNEL, ...PRESENCE_CHANNELS].map(
  beginningOf,
)

/** Every mistake in `channels` of a configuration; `value` may be anything. */
export function checkChannels(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [wrong('channels', 'a list of channels', value)]
  const seen = new Map<string, number>()
  return value.flatMap((channel: unknown, at) => {
    const path = `channels[${at}]`
    if (!isChannel(channel)) return wrong(path, 'a channel, as defineChannel makes it', channel)
    const { pattern } = channel
    const first = seen.get(pattern)
    seen.set(pattern, at)
    if (!PATTERN.test(pattern))
      return wrong(path, 'a name such as private-shelf.{shelf} or presence-room.{room}', pattern)
    if (OWN_CHANNELS.some((own) => pattern.startsWith(own)))
      return report(
        path,
        `${quoted(pattern)} is a channel of the admin’s own. Call it something else.`,
      )
    if (first === undefined) return []
    return report(path, `${quoted(pattern)} is the name of channels[${first}] already.`)
  })
}

const isChannel = (value: unknown): value is AnyChannel =>
  isPlainObject(value) &&
  typeof value['pattern'] === 'string' &&
  typeof value['authorize'] === 'function'

const isComponent = (value: unknown): value is AnyComponent =>
  isPlainObject(value) && typeof value['name'] === 'string' && typeof value['with'] === 'function'

/** Every mistake in `pages` of a configuration; `value` may be anything. */
export function checkPages(value: unknown): Problem[] {
  if (!Array.isArray(value)) return [wrong('pages', 'a list of pages', value)]
  const seen = new Map<string, number>()
  return value.flatMap((page: unknown, at) => {
    const path = `pages[${at}]`
    if (!isPage(page)) return wrong(path, 'a page, as page(…) makes it', page)
    const first = seen.get(shapeOf(page.path))
    seen.set(shapeOf(page.path), at)
    const twice =
      first === undefined
        ? []
        : [report(path, `${quoted(page.path)} leads to pages[${first}] already.`)]
    return [
      ...checkOptions(page, path),
      ...checkPath(page.path, path),
      ...twice,
      ...checkRail(page, path),
      ...checkSlots(page, path),
      ...checkSources(page, path),
    ]
  })
}

const isPage = (value: unknown): value is Page =>
  isPlainObject(value) && typeof value['path'] === 'string' && typeof value['draw'] === 'function'

const checkOptions = ({ options }: Page, at: string): Problem[] => [
  ...options.flatMap((name) =>
    PAGE_OPTIONS.includes(name) ? [] : unknown('option', name, within(at, name), PAGE_OPTIONS),
  ),
  ...(options.includes('title') ? [] : [report(at, 'a page needs [title].')]),
]

/** A router cannot tell paths apart that differ only in the names of their parameters. */
const shapeOf = (path: string): string => path.replaceAll(/:\w+/g, ':')

const PATH = /^(?:\/:?[A-Za-z][\w-]*)+$/

function checkPath(path: string, at: string): Problem[] {
  if (!PATH.test(path)) return [wrong(at, 'a path such as /tally or /shelves/:shelf', path)]
  return isReserved(path) ? [report(at, `${quoted(path)} is a path of the admin’s own.`)] : []
}

function checkRail({ rail, title, path }: Page, at: string): Problem[] {
  if (!rail) return []
  const hasNames = path.includes(':')
  return [
    ...(hasNames ? [report(`${at}.rail`, 'the sidebar cannot list a path with names in it.')] : []),
    ...(title === undefined
      ? [report(`${at}.title`, 'the sidebar needs a text, not a function.')]
      : []),
  ]
}

const checkSlots = ({ slots }: Page, at: string): Problem[] =>
  Object.entries(slots).flatMap(([slot, part]: [string, unknown]) => {
    const path = within(`${at}.components`, slot)
    if (slot === SHELL_ID) return report(path, 'that is the name of what stands around pages.')
    const isPart = isPlainObject(part) && isComponent(part['component'])
    return isPart ? [] : wrong(path, 'a component with its parameters: tally.with({ … })', part)
  })

function checkSources({ sources }: Page, at: string): Problem[] {
  const path = `${at}.sources`
  if (!isPlainObject(sources)) return [wrong(path, 'an object', sources)]
  return entriesOf(sources).flatMap(([kind, list]) => {
    const place = within(path, kind)
    if (!SOURCE_KINDS.some((name) => name === kind))
      return unknown('kind of source', kind, place, SOURCE_KINDS)
    if (Array.isArray(list) && list.every(isSource)) return []
    return wrong(place, 'a list of origins such as https://tiles.example.org', list)
  })
}

/** The added components, each with its place in the configuration. */
function placedComponents({
  components,
  pages,
}: Pick<Added, 'components' | 'pages'>): PlacedComponent[] {
  return [
    ...components.map((component, at) => ({ component, path: `components[${at}]` })),
    ...pages.flatMap(({ slots }, at) =>
      Object.entries(slots).map(([slot, { component }]) => ({
        component,
        path: within(`pages[${at}].components`, slot),
      })),
    ),
  ]
}

/** Two components with the same name, which an update could not tell apart. */
function checkNames(placed: readonly PlacedComponent[]): Problem[] {
  const byName = new Map<string, AnyComponent>()
  return placed.flatMap(({ component, path }) => {
    const { name } = component
    const other = byName.get(name)
    byName.set(name, component)
    if (OWN_COMPONENTS.includes(name))
      return [
        report(path, `${quoted(name)} is a component of the admin’s own. Call it something else.`),
      ]
    return other && other !== component
      ? [report(path, `another component is called ${quoted(name)} as well.`)]
      : []
  })
}
