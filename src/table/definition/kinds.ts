/** The kinds of columns: the built-in ones, and those of a configuration. */

import type { ColumnKind } from '../../protocol/table-view.ts'
import type { ValueType } from '../source/schema.ts'
import type { Kind, KindRule } from './kind.ts'
import { binary } from './kinds/binary.ts'
import { boolean } from './kinds/boolean.ts'
import { colour } from './kinds/colour.ts'
import { coordinate } from './kinds/coordinate.ts'
import { date } from './kinds/date.ts'
import { datetime } from './kinds/datetime.ts'
import { email } from './kinds/email.ts'
import { file } from './kinds/file.ts'
import { image } from './kinds/image.ts'
import { json } from './kinds/json.ts'
import { key } from './kinds/key.ts'
import { link } from './kinds/link.ts'
import { longtext } from './kinds/longtext.ts'
import { money } from './kinds/money.ts'
import { number } from './kinds/number.ts'
import { relation } from './kinds/relation.ts'
import { status } from './kinds/status.ts'
import { text } from './kinds/text.ts'
import { time } from './kinds/time.ts'

/** The built-in kinds, in the order in which their rules are tried: the first that fits decides. */
export const KINDS: readonly Kind[] = [
  relation,
  file,
  image,
  link,
  email,
  colour,
  key,
  coordinate,
  number,
  status,
  text,
  longtext,
  money,
  boolean,
  date,
  datetime,
  time,
  json,
  binary,
]

/** Kinds by name, by rule, and by the type that they are the default for. */
export type Kinds = {
  readonly byName: ReadonlyMap<string, Kind>
  /** All rules in the order in which they are tried. */
  readonly rules: readonly { readonly kind: Kind; readonly rule: KindRule }[]
  readonly byType: ReadonlyMap<ValueType, Kind>
}

function registryOf(all: readonly Kind[]): Kinds {
  const rules = all.flatMap((kind) => (kind.infer ?? []).map((rule) => ({ kind, rule })))
  const isStructure = ({ rule }: { rule: KindRule }) => rule.by === 'structure'
  // Reversed below: of two kinds for one type, the first wins.
  const types = all.flatMap((kind) => (kind.defaultFor ?? []).map((type) => [type, kind] as const))
  return {
    byName: new Map(all.map((kind) => [kind.name, kind])),
    rules: [...rules.filter(isStructure), ...rules.filter((entry) => !isStructure(entry))],
    byType: new Map(types.toReversed()),
  }
}

export const BUILT_IN: Kinds = registryOf(KINDS)

/**
 * The built-in kinds and `own`, whose rules are tried before the built-in ones of the same sort.
 */
export const kindsWith = (own: readonly Kind[] = []): Kinds =>
  own.length === 0 ? BUILT_IN : registryOf([...own, ...KINDS])

/** The kind of a column; text if no kind has its name. */
export const kindOf = ({ kind, ownKind }: HasKind): Kind =>
  ownKind ?? BUILT_IN.byName.get(kind) ?? text

type HasKind = { readonly kind: ColumnKind; readonly ownKind?: Kind }
