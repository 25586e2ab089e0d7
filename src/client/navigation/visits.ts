/** Makes the components of each opened page, and of the shell, which outlives the pages. */

import type { PageComponent, PageData } from '../../protocol/page.ts'
import type { Part } from '../part.ts'
import { parseSnapshot } from '../parse-snapshot.ts'
import { Store } from '../store.ts'
import type { Visit } from './kept-pages.ts'

export type Visits = {
  /** The component around all pages; `null` before sign-in. */
  shell(): Part | null
  /** Makes the components of a page that was just fetched. */
  open(page: PageData, shown: Pick<Visit, 'at' | 'href'>): Visit
  /**
   * Adopts the same page anew: components that stay keep their edits. A refetch, which no person asked
   * for, adopts only what is outdated.
   */
  renew(visit: Visit, page: PageData, isRefetch: boolean): void
  /** Puts components back as they were. */
  putBack(visit: Visit, components: readonly PageComponent[]): void
  adoptShell(component: PageComponent | null): void
}

export type VisitsOptions = {
  createPart(store: Store): Part
  /** Sends what waits in a store. */
  request(store: Store): void
  newKey(): string
}

export function createVisits({ createPart, request, newKey }: VisitsOptions): Visits {
  let shell: Part | null = null

  function adoptShell(component: PageComponent | null): void {
    const { store } = shell ?? {}
    if (component && component.id === store?.id && component.name === store.name)
      return remount(store, component)
    store?.leave()
    shell = component ? createPart(new Store(component)) : null
  }

  function remount(store: Store, component: PageComponent): void {
    store.remount(component)
    requestAgain(store)
  }

  function requestAgain(store: Store): void {
    if (store.renewals > 0 && store.isWaiting) request(store)
  }

  /** Adopts one component of a page that is fetched anew. */
  function adopt({ parts }: Visit, component: PageComponent, isRefetch: boolean): void {
    const store = parts.get(component.id)?.store
    // It must not undo what other components did meanwhile.
    if (isRefetch && store && !store.isOutdated) return
    if (store?.name === component.name) return remount(store, component)
    store?.leave()
    parts.set(component.id, createPart(new Store(component)))
  }

  return {
    shell: () => shell,
    adoptShell,
    open(page, { at, href }) {
      adoptShell(shellOf(page))
      const parts = new Map<string, Part>()
      for (const component of ownOf(page)) parts.set(component.id, createPart(new Store(component)))
      return { key: newKey(), page, href, parts, at, movedTo: null, kept: new Map() }
    },
    renew(visit, page, isRefetch) {
      const kept = new Set(ownOf(page).map(({ id }) => id))
      for (const [id, { store }] of visit.parts) {
        if (kept.has(id)) continue
        store.leave()
        visit.parts.delete(id)
      }
      if (!isRefetch || !shell || shell.store.isOutdated) adoptShell(shellOf(page))
      for (const component of ownOf(page)) adopt(visit, component, isRefetch)
      visit.page = page
    },
    putBack({ parts }, components) {
      for (const component of components) {
        const store = parts.get(component.id)?.store
        if (!store || store.snapshot === component.snapshot) continue
        store.goBackTo(component)
        requestAgain(store)
      }
    },
  }
}

const shellOf = ({ components, shell }: PageData): PageComponent | null =>
  components.find(({ id }) => id === shell) ?? null

const ownOf = ({ components, shell }: PageData): PageComponent[] =>
  components.filter(({ id }) => id !== shell)

/** The components as they are now; `moved`, if given, as it was before its last answer. */
export const componentsOf = ({ parts }: Visit, moved?: Store): PageComponent[] =>
  [...parts.values()].map(({ store }) => store.component(store === moved))

/** Who the page was drawn for, and in which session. */
export function ownerOf({ components: [component] }: PageData): string {
  if (!component) return ''
  const { user, lineage } = parseSnapshot(component.snapshot).memo
  return `${user} ${lineage}`
}
