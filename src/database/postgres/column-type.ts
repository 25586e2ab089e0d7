/** The type of value in a column, by its type below domains and arrays. */

import type { Column, ValueType } from '../../table/source/schema.ts'
import type { CollationRow, ColumnRow, DatabaseRow, TypeRow } from './catalogue-rows.ts'
import type { ColumnType } from './tables.ts'

const KINDS: Readonly<Record<string, ValueType>> = {
  int2: 'integer',
  int4: 'integer',
  int8: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  money: 'decimal',
  float4: 'float',
  float8: 'float',
  bool: 'boolean',
  date: 'date',
  timestamp: 'datetime',
  timestamptz: 'datetime',
  time: 'time',
  timetz: 'time',
  json: 'json',
  jsonb: 'json',
  bytea: 'binary',
}

/** Ordered types, because compatible servers do not list which types have an order. */
const ORDERED = new Set([
  ...Object.keys(KINDS).filter((name) => name !== 'json'),
  ...['text', 'varchar', 'bpchar', 'char', 'name', 'citext', 'uuid', 'inet', 'cidr'],
  ...['macaddr', 'macaddr8', 'bit', 'varbit', 'interval', 'tsvector'],
])

const MEANINGLESS = new Set(['tsvector', 'tsquery'])

/** Oids of `pg_collation`: no collation, and the database's own. */
const NO_COLLATION = 0
const DEFAULT_COLLATION = 100

/** The types and collations of a database. */
export class ColumnTypes {
  readonly #types: ReadonlyMap<number, TypeRow>
  readonly #collations: ReadonlyMap<number, CollationRow>
  readonly #isAsciiOnly: boolean

  constructor(
    types: readonly TypeRow[],
    collations: readonly CollationRow[],
    { provider, ctype }: DatabaseRow,
  ) {
    this.#types = new Map(types.map((type) => [type.oid, type]))
    this.#collations = new Map(collations.map((collation) => [collation.oid, collation]))
    this.#isAsciiOnly = provider !== 'i' && isAsciiLocale(ctype)
  }

  /** The chain of domains from this type down to its base type. */
  around(type: number): TypeRow[] {
    const found = this.#types.get(type)
    return found ? [found, ...(found.kind === 'd' ? this.around(found.of) : [])] : []
  }

  /** The part of a column's description that depends on its type alone. */
  describe({ type, modifier }: ColumnRow): Pick<Column, 'type'> & Partial<Column> {
    const chain = this.around(type)
    const base = chain.at(-1)
    const order = this.#isSorted(base) ? {} : { isUnordered: true }
    const domain = chain.find((one) => one.kind === 'd' && one.modifier >= 0)
    if (base && isArray(base)) return { type: 'text', array: true, ...order }
    return {
      type: KINDS[base?.name ?? ''] ?? 'text',
      ...order,
      ...limits(base?.name, modifier >= 0 ? modifier : (domain?.modifier ?? -1)),
      ...((base?.name === 'timestamptz' || base?.name === 'timetz') && { zoned: true }),
      ...(base?.words && { allowed: base.words, isListed: true }),
    }
  }

  columnType({ type, collation }: ColumnRow): ColumnType {
    const base = this.around(type).at(-1)
    const collated = this.#collations.get(collation)
    return {
      name: base?.name ?? '',
      cast: base?.cast ?? 'text',
      kind: base?.words
        ? 'enum'
        : base && isArray(base)
          ? 'array'
          : isBase(base)
            ? 'base'
            : 'other',
      words: base?.words ?? [],
      isOrdered: this.#isOrdered(base),
      isDeterministic: base?.name !== 'citext' && (collated?.isDeterministic ?? true),
      collation: collated?.quoted ?? null,
      isAsciiOnly: this.#foldsAsciiOnly(collation),
    }
  }

  #isOrdered(type: TypeRow | undefined): boolean {
    if (!type) return false
    if (isArray(type)) return this.#isOrdered(this.#types.get(type.of))
    return type.isOrdered || ORDERED.has(type.name) || /[erm]/.test(type.kind)
  }

  /** Whether people may sort by it: the order of some types means nothing, and only serves indexes. */
  #isSorted(type: TypeRow | undefined): boolean {
    if (type && isArray(type)) return this.#isSorted(this.#types.get(type.of))
    return this.#isOrdered(type) && !MEANINGLESS.has(type?.name ?? '')
  }

  #foldsAsciiOnly(collation: number): boolean {
    if (collation === NO_COLLATION || collation === DEFAULT_COLLATION) return this.#isAsciiOnly
    const found = this.#collations.get(collation)
    return found !== undefined && found.provider !== 'i' && isAsciiLocale(found.locale)
  }
}

const isAsciiLocale = (locale: string): boolean => /^(C|POSIX)$/.test(locale)

const isArray = ({ category, of }: TypeRow): boolean => category === 'A' && of > 0

const isBase = (type: TypeRow | undefined): boolean => type?.kind === 'b'

/** The limits in a type modifier, as of `varchar(20)` and `numeric(10,2)`. */
function limits(
  name: string | undefined,
  modifier: number,
): Pick<Column, 'maxLength' | 'isPadded' | 'isSingle' | 'precision' | 'scale'> {
  if (name === 'float4') return { isSingle: true }
  if (modifier < 4) return {}
  if (name === 'bpchar') return { maxLength: modifier - 4, isPadded: true }
  if (name === 'varchar') return { maxLength: modifier - 4 }
  if (name !== 'numeric') return {}
  // Eleven bits, signed, since a scale may be negative.
  const scale = (((modifier - 4) & 0x7ff) ^ 1024) - 1024
  return { precision: (modifier - 4) >> 16, scale }
}
