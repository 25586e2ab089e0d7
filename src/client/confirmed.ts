/** What the server has confirmed of a component: its snapshot, its data and its view. */

import type { Json, JsonObject } from '../protocol/json.ts'
import type { PageComponent } from '../protocol/page.ts'
import { parseSnapshot } from './parse-snapshot.ts'
import { ShownView } from './shown-view.ts'

export class Confirmed {
  snapshot: string
  data: JsonObject
  readonly view: ShownView
  readonly #mounted: PageComponent
  /** Snapshot and view before the last answer. */
  #before: Pick<PageComponent, 'snapshot' | 'view'>

  constructor(component: PageComponent) {
    this.snapshot = component.snapshot
    this.data = parseSnapshot(component.snapshot).data
    this.view = new ShownView(component)
    this.#mounted = component
    this.#before = { snapshot: component.snapshot, view: component.view }
  }

  /** Takes an answer; without a view, it is as it was. */
  adopt(snapshot: string, data: JsonObject, view: Json | undefined): void {
    this.#before = { snapshot: this.snapshot, view: this.view.own }
    this.snapshot = snapshot
    this.data = data
    this.view.adopt(view)
  }

  /** The component as it is, or as it was before the last answer, to be mounted again. */
  component(before: boolean): PageComponent {
    const { id, name, queries = [], listens = [] } = this.#mounted
    const at = before ? this.#before : { snapshot: this.snapshot, view: this.view.own }
    return { id, name, ...at, queries, listens, ...(!this.view.isDrawn && { lazy: true }) }
  }
}
