/** The way by which a test changes rows, without a history. */

import type { Catalog } from '../src/table/catalog.ts'
import { type ChangeDoor, createChangeDoor } from '../src/table/changes/door.ts'
import type { RowSource } from '../src/table/source/row-source.ts'

export const doorTo = (source: RowSource, catalog: () => Catalog): ChangeDoor =>
  createChangeDoor({ source, catalog, now: Date.now, newId: () => crypto.randomUUID() })
