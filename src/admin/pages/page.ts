/** Pages: how the admin and you define them. */

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
  /** Requested path and query, with the admin's prefix. */
  readonly url: string
  readonly query: URLSearchParams
  /** Language of the copy, such as `en`. */
  readonly language: string
  /** How the reader writes numbers and dates, such as `en-GB`. */
  readonly locale: string
  /** The reader's time zone, such as `Europe/Vienna`, once the browser has sent it. */
  readonly timeZone?: string | undefined
  /** Aborted when nobody waits for the page any more. */
  readonly signal: AbortSignal
}

/** The components of a page, each as `component.with(params)` returns it. */
export type Slots = { readonly [slot: string]: Mounted }

/** The first views of a page's components, by slot. */
export type ViewsOf<Parts extends Slots> = {
  readonly [Slot in keyof Parts]: TypesOf<Parts[Slot]['component']>['view']
}

/** A value, or a function that makes it for a request. */
type PerRequest<Value, Request> = Value | ((request: Request) => Value | Promise<Value>)

type Opened<Request, About> = Request & {
  /** What `open` returned. */
  readonly opened: About
}

type Mounting<Request, About, Parts extends Slots> = Opened<Request, About> & {
  /** The first views of the page's components, by slot. */
  readonly views: ViewsOf<Parts>
}

/** The options of a page. `open` comes first, because it types what follows. */
export type PageOptions<Request, About, Data extends Json, Parts extends Slots> = {
  /** The page's name in `defineClient({ pages })`. Default: its path. */
  readonly name?: string
  /** Who may see it; others get `FORBIDDEN`. Default: everybody who is signed in. */
  authorize?(subject: { readonly actor: Actor }): boolean | Promise<boolean>
  /**
   * Looks up what the page is about; the options below receive it as `opened`. Throw if it does not
   * exist, or the person may not know of it; return `redirectTo(…)` to lead to another page.
   */
  open?(request: Request): About | Redirect | Promise<About | Redirect>
  /** Plain JSON for the page, which does not change while it is open. Default: `null`. */
  readonly data?: PerRequest<Data, Opened<Request, About>>
  /** Its live components; a slot's name is the component's id on the page. Default: none. */
  readonly components?: PerRequest<Parts, Opened<Request, About>>
  /** Shown in the browser's tab and in the sidebar. */
  readonly title: PerRequest<string, Mounting<Request, About, Parts>>
  /** Whether the sidebar lists it for those who may see it. Default: false. */
  readonly rail?: boolean
  /** The breadcrumbs from the database to the page itself; empty: none. Default: its title. */
  readonly breadcrumbs?: PerRequest<readonly Crumb[], Mounting<Request, About, Parts>>
  /** Name of the sidebar entry that the page belongs to. Default: its own, if it has one. */
  readonly current?: PerRequest<string | null, Opened<Request, About>>
  /** Called when somebody opens the page, but not for a prefetch. */
  visited?(request: Opened<Request, About>): void | Promise<void>
  /** Address to show for the page. Default: the requested one. */
  readonly url?: PerRequest<string, Mounting<Request, About, Parts>>
  /** Other origins that the page loads from, such as `{ img: ['https://tiles.example.org'] }`. */
  readonly sources?: Sources
}

/** The names of a page's options. */
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

/** What a page's options returned for one request. */
export type DrawnPage = {
  readonly title: string
  readonly data: Json
  readonly breadcrumbs: readonly Crumb[]
  readonly current: string | null
  readonly url: string
}

/** A request as the route has it: only the page's own types know the path's `:names`. */
export type RoutedRequest<Who = Visitor> = PageRequest<{ readonly [name: string]: string }, Who>

/** A defined page. `About` is what its `open` returns. */
export type Page<
  Who = Visitor,
  About = unknown,
  Data extends Json = Json,
  Parts extends Slots = Slots,
> = TypedPage<Data, keyof Parts & string> & {
  /** Without the admin's prefix; its parts may be `:names`. */
  readonly path: string
  readonly name: string
  /** Names of the options that it was defined with. */
  readonly options: readonly string[]
  /** The title, if it is the same for every request. */
  readonly title: string | undefined
  readonly rail: boolean
  readonly sources: Sources
  /** The components that are the same for every request, by slot. */
  readonly slots: Slots
  authorize(subject: { readonly actor: Actor }): boolean | Promise<boolean>
  open(request: RoutedRequest<Who>): Promise<About | Redirect>
  visited(request: RoutedRequest<Who>, about: About): void | Promise<void>
  draw(request: RoutedRequest<Who>, about: About, mount: MountSlot): Promise<DrawnPage>
}

/** The address that `open` redirects to. */
export class Redirect {
  readonly href: string

  constructor(href: string) {
    this.href = href
  }
}

/** Redirects from a page's `open` to another address. */
export const redirectTo = (href: string): Redirect => new Redirect(href)

/**
 * Defines a page of the admin, below its prefix: `path` may have `:names`, whose values are in
 * `params`. The React component of the same name in `defineClient({ pages })` draws it.
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

/** A page that needs no sign-in. */
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
  const { name = path, title, rail = false, sources = {}, components } = options
  // The router has matched the path, so `params` has the names that its type promises.
  const typed = (request: RoutedRequest<Who>) => request as unknown as PageRequest<Params, Who>
  return {
    path,
    name,
    options: Object.keys(options),
    title: typeof title === 'string' ? title : undefined,
    rail,
    sources,
    slots: typeof components === 'object' ? components : {},
    authorize: (subject) => options.authorize?.(subject) ?? true,
    // Without `open`, `About` is `undefined`.
    open: async (request) => options.open?.(typed(request)) ?? (undefined as About),
    visited: (request, opened) => options.visited?.({ ...typed(request), opened }),
    async draw(request, about, mount) {
      const opened = { ...typed(request), opened: about }
      const parts = await valueFor<Slots, typeof opened>(components ?? {}, opened)
      const drawn = await Promise.all(
        Object.entries(parts).map(async ([slot, part]) => [slot, await mount(slot, part)]),
      )
      // Each slot's component returned its view, so the type holds.
      const mounted = { ...opened, views: Object.fromEntries(drawn) as ViewsOf<Parts> }
      const named = await valueFor(title, mounted)
      return {
        title: named,
        data: await valueFor<Json, typeof opened>(options.data ?? null, opened),
        breadcrumbs: await valueFor(options.breadcrumbs ?? [{ label: named }], mounted),
        current: await valueFor(options.current ?? (rail ? name : null), opened),
        url: await valueFor(options.url ?? request.url, mounted),
      }
    },
  }
}

const valueFor = async <Value, Request>(
  value: PerRequest<Value, Request>,
  request: Request,
): Promise<Value> => (isFunction(value) ? value(request) : value)

/** A plain value is JSON, components or a text; none of these is a function. */
const isFunction = <Value, Request>(
  value: PerRequest<Value, Request>,
): value is (request: Request) => Value | Promise<Value> => typeof value === 'function'
