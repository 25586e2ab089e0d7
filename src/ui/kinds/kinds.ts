/** The built-in kinds as the browser draws them; of any other the text is shown. */

import type { ClientKind, ClientKinds } from './client-kind.ts'
import { colour } from './colour.tsx'
import { email } from './email.tsx'
import { image } from './image.tsx'
import { link } from './link.tsx'
import { status } from './status.tsx'

/** Kinds that draw nothing in a way of their own have but a layout. */
export const KINDS: ClientKinds = {
  text: { layout: { place: 'words' } },
  longtext: { layout: { place: 'words' } },
  relation: { layout: { place: 'words' } },
  key: { layout: { width: 'whole' } },
  boolean: { layout: { width: 'whole' } },
  number: { layout: { width: 'whole', place: 'figure' } },
  // Room for the longest date and for ten million, so that other rows need no more.
  money: { layout: { width: 'whole', least: 11, place: 'figure' } },
  date: { layout: { width: 'whole', least: 13, place: 'date' } },
  datetime: { layout: { width: 'whole', place: 'date' } },
  time: { layout: { width: 'whole', place: 'date' } },
  status,
  email,
  link,
  image,
  colour,
}

/** Kinds by name; a name may be that of an object's own making. */
export type KindMap = ReadonlyMap<string, ClientKind>

export const BUILT_IN: KindMap = new Map(Object.entries(KINDS))

/** The built-in kinds with those of one's own, which may also draw a built-in one otherwise. */
export const joinKinds = (own: ClientKinds): KindMap =>
  new Map([
    ...BUILT_IN,
    ...Object.entries(own).map(
      ([name, kind]) => [name, { ...BUILT_IN.get(name), ...kind }] as const,
    ),
  ])
