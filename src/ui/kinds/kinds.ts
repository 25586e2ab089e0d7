/** The browser halves of the built-in kinds; for any other kind, the browser shows the text. */

import type { ClientKind, ClientKinds } from './client-kind.ts'
import { colour } from './colour.tsx'
import { email } from './email.tsx'
import { file } from './file.tsx'
import { image } from './image.tsx'
import { link } from './link.tsx'
import { status } from './status.tsx'

/** Kinds that show plain text have only a layout. */
export const KINDS: ClientKinds = {
  text: { layout: { place: 'words' } },
  longtext: { layout: { place: 'words' } },
  relation: { layout: { place: 'words' } },
  key: { layout: { width: 'whole' } },
  boolean: { layout: { width: 'whole' } },
  number: { layout: { width: 'whole', place: 'figure' } },
  coordinate: { layout: { width: 'whole', place: 'figure' } },
  // Room for ten million, and below for the longest date, so that paging does not widen the column.
  money: { layout: { width: 'whole', least: 12, place: 'figure' } },
  date: { layout: { width: 'whole', least: 12, place: 'date' } },
  datetime: { layout: { width: 'whole', place: 'date' } },
  time: { layout: { width: 'whole', place: 'date' } },
  status,
  email,
  link,
  image,
  file,
  colour,
}

/** Kinds by name; a map, because a name may be that of an object's own property. */
export type KindMap = ReadonlyMap<string, ClientKind>

export const BUILT_IN: KindMap = new Map(Object.entries(KINDS))

/** The built-in kinds with yours, which may also override parts of a built-in one. */
export const joinKinds = (own: ClientKinds): KindMap =>
  new Map([
    ...BUILT_IN,
    ...Object.entries(own).map(
      ([name, kind]) => [name, { ...BUILT_IN.get(name), ...kind }] as const,
    ),
  ])
