/** Pages: how one is defined, by the admin itself and by whoever adds one. */

import type { TypesOf } from '../../protocol/component-types.ts'
import type { Json } from '../../protocol/json.ts'
import type { Crumb } from '../../protocol/page.ts'
import type { TypedPage } from '../../protocol/page-types.ts'
import type { Actor } from '../../server/actor.ts'
import type { Mounted } from '../../server/component/define.ts'
import type { Sources } from '../../server/http/sources.ts'
import type { Visitor } from '../../server/visitor.ts'

/** The values of the `:names` in a path, such as `{ table: string }` for `/tables/:table`. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { readonly [key in Name]: string } & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? { readonly [key in Name]: string }
    : {}

/** What a page knows of the request that asks for it. */
export type PageRequest<Params = {}, Who = Visitor> = Who & {
  /** Values of the path's `:names`. */
  readonly params: Params
  /** Path and query as they were asked for, with the admin's prefix. */
  readonly url: string
  readonly query: URLSearchParams
  /** Language of the copy, such as `en`. */
  readonly language: string
  /** How the reader writes numbers and dates, such as `en-GB`. */
  readonly locale: string
  /** Zone that the reader is in, such as `Europe/Vienna`, once the browser has said it. */
  readonly timeZone?: string | undefined
  /** Aborted when nobody waits for the page any more. */
  readonly signal: AbortSignal
}

/** The components of a page, each as `component.with(params)` gives it. */
export type Slots = { readonly [slot: string]: Mounted }

/** The first views of a page's components, by slot. */
export type ViewsOf<Parts extends Slots> = {
  readonly [Slot in keyof Parts]: TypesOf<Parts[Slot]['component']>['view']
}

/** A value, or a function that makes it for a request. */
type Given<Value, Request> = Value | ((request: Request) => Value | Promise<Value>)

type Opened<Request, About> = Request & {
  /** What `open` returned. */
  readonly opened: About
}

type Mounting<Request, About, Parts extends Slots> = Opened<Request, About> & {
  /** The first views of the page's components, by slot. */
  readonly views: ViewsOf<Parts>
}

/** What a page is defined by. `open` stands first, because what follows is typed by it. */
export type PageOptions<Request, About, Data extends Json, Parts extends Slots> = {
  /** What the browser's half calls the page, in `defineClient({ pages })`. Default: its path. */
  readonly name?: string
  /** Who may see it; others are answered `FORBIDDEN`. Default: everybody who is signed in. */
  authorize?(subject: { readonly actor: Actor }): boolean | Promise<boolean>
  /**
   * Looks up what the page is about, for everything below to use as `opened`. Throws where there is
   * no such thing, or none that the person may know of; `redirectTo` leads to another page.
   */
  open?(request: Request): About | Redirect | Promise<About | Redirect>
  /** What the page says that stays as it is while it is open: plain JSON. Default: `null`. */
  readonly data?: Given<Data, Opened<Request, About>>
  /** Its live components; the name of a slot is its component's id on the page. Default: none. */
  readonly components?: Given<Parts, Opened<Request, About>>
  /** Names the page in the browser's tab, and in the sidebar. */
  readonly title: Given<string, Mounting<Request, About, Parts>>
  /** Whether the sidebar lists it, for whoever may see it. Default: false. */
  readonly rail?: boolean
  /** The way to the page from the database, itself last; none where empty. Default: its title. */
  readonly breadcrumbs?: Given<readonly Crumb[], Mounting<Request, About, Parts>>
  /** Name of the sidebar's entry that the page belongs to. Default: its own, where it has one. */
  readonly current?: Given<string | null, Opened<Request, About>>
  /** Told when somebody is shown the page, and not when it is fetched ahead. */
  visited?(request: Opened<Request, About>): void | Promise<void>
  /** Address that the page answers. Default: the one that was asked for. */
  readonly url?: string
  /** What the page loads from elsewhere, such as `{ img: ['https://tiles.example.org'] }`. */
  readonly sources?: Sources
}

/** The names of a page's options, as they are documented. */
export const PAGE_OPTIONS = Object.keys({
  name: true,
  authorize: true,
  open: true,
  data: true,
  components: true,
  title: true,
  rail: true,
  breadcrumbs: true,
  current: true,
  visited: true,
  url: true,
  sources: true,
} satisfies { [option in keyof PageOptions<unknown, unknown, Json, Slots>]-?: true })

/** Mounts the component of a slot; returns its first view. */
export type MountSlot = (slot: string, mounted: Mounted) => Promise<Json>

/** What has become of a page for one request. */
export type DrawnPage = {
  readonly title: string
  readonly data: Json
  readonly breadcrumbs: readonly Crumb[]
  readonly current: string | null
}

/** A request as its route knows it: which names the path has is for the page's own types. */
export type RoutedRequest<Who = Visitor> = PageRequest<{ readonly [name: string]: string }, Who>

/** A page that has been defined. `About` is what its `open` returns. */
export type Page<
  Who = Visitor,
  About = unknown,
  Data extends Json = Json,
  Parts extends Slots = Slots,
> = TypedPage<Data, keyof Parts & string> & {
  /** Without the admin's prefix; its parts may be `:names`. */
  readonly path: string
  readonly name: string
  /** Names of the options that it was defined by. */
  readonly options: readonly string[]
  /** The title, where it is the same for every request. */
  readonly title: string | undefined
  readonly rail: boolean
  readonly url: string | undefined
  readonly sources: Sources
  /** The components that are the same for every request, by slot. */
  readonly slots: Slots
  authorize(subject: { readonly actor: Actor }): boolean | Promise<boolean>
  open(request: RoutedRequest<Who>): Promise<About | Redirect>
  visited(request: RoutedRequest<Who>, about: About): void | Promise<void>
  draw(request: RoutedRequest<Who>, about: About, mount: MountSlot): Promise<DrawnPage>
}

/** Where a page leads that has nothing of its own to show. */
export class Redirect {
  readonly href: string

  constructor(href: string) {
    this.href = href
  }
}

/** Leads from a page's `open` to another address. */
export const redirectTo = (href: string): Redirect => new Redirect(href)

/**
 * Defines a page of the admin, below its prefix: `path` may hold `:names`, whose values are in
 * `params`. What is drawn is a React component of the same name in `defineClient({ pages })`.
 *
 * @example
 * export const tallyPage = page('/tally', {
 *   title: 'Tally',
 *   rail: true,
 *   components: { left: tally.with({ start: 1 }), right: tally.with({ start: 5 }) },
 * })
 *
 * @example
 * export const shelfPage = page('/shelves/:shelf', {
 *   open: ({ params }) => shelves.find(params.shelf),
 *   data: ({ opened }) => ({ place: opened.place }),
 *   title: ({ opened }) => opened.name,
 * })
 */
export const page = <
  const Path extends string,
  About = undefined,
  Data extends Json = null,
  Parts extends Slots = {},
>(
  path: Path,
  options: PageOptions<PageRequest<PathParams<Path>>, About, Data, Parts>,
): Page<Visitor, About, Data, Parts> => makePage(path, options)

/** A page that is also for whoever is not signed in. */
export const publicPage = <
  const Path extends string,
  About = undefined,
  Data extends Json = null,
  Parts extends Slots = {},
>(
  path: Path,
  options: Omit<
    PageOptions<PageRequest<PathParams<Path>, Partial<Visitor>>, About, Data, Parts>,
    'authorize'
  >,
): Page<Partial<Visitor>, About, Data, Parts> => makePage(path, options)

function makePage<Params, Who, About, Data extends Json, Parts extends Slots>(
  path: string,
  options: PageOptions<PageRequest<Params, Who>, About, Data, Parts>,
): Page<Who, About, Data, Parts> {
  const { name = path, title, rail = false, url, sources = {}, components } = options
  // The router has matched the path, so the names that its type asks for are there.
  const asked = (request: RoutedRequest<Who>) => request as unknown as PageRequest<Params, Who>
  return {
    path,
    name,
    options: Object.keys(options),
    title: typeof title === 'string' ? title : undefined,
    rail,
    url,
    sources,
    slots: typeof components === 'object' ? components : {},
    authorize: (subject) => options.authorize?.(subject) ?? true,
    // Without an `open` nothing is opened, and its type says so.
    open: async (request) => options.open?.(asked(request)) ?? (undefined as About),
    visited: (request, opened) => options.visited?.({ ...asked(request), opened }),
    async draw(request, about, mount) {
      const opened = { ...asked(request), opened: about }
      const parts = await given<Slots, typeof opened>(components ?? {}, opened)
      const drawn = await Promise.all(
        Object.entries(parts).map(async ([slot, part]) => [slot, await mount(slot, part)]),
      )
      // Each view is that of its slot's component, which is where its type comes from.
      const mounted = { ...opened, views: Object.fromEntries(drawn) as ViewsOf<Parts> }
      const named = await given(title, mounted)
      return {
        title: named,
        data: await given<Json, typeof opened>(options.data ?? null, opened),
        breadcrumbs: await given(options.breadcrumbs ?? [{ label: named }], mounted),
        current: await given(options.current ?? (rail ? name : null), opened),
      }
    },
  }
}

const given = async <Value, Request>(
  value: Given<Value, Request>,
  request: Request,
): Promise<Value> =>
  // What is given is JSON, components or a text, and none of these is a function.
  typeof value === 'function'
    ? (value as (request: Request) => Value | Promise<Value>)(request)
    : value
