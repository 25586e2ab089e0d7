/** Compares what is drawn, so that nothing is drawn again that looks the same. */

import { sameJson } from '../protocol/json.ts'
import type { ComponentState } from './component.ts'

export const sameItems = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, at) => item === b[at])

/** Whether both are drawn alike. An unchanged part of a view is the same object. */
export const sameState = (a: ComponentState, b: ComponentState): boolean =>
  a.view === b.view &&
  a.pending === b.pending &&
  a.isDrawn === b.isDrawn &&
  sameItems(a.dirty, b.dirty) &&
  sameJson(a.data, b.data) &&
  JSON.stringify(a.errors) === JSON.stringify(b.errors)
