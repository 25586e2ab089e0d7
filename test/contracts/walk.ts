/** Walks through the rows of a query, page by page and by jumps. */

import { expect } from 'vitest'
import type { Access } from '../../src/table/source/access.ts'
import type { PageQuery, PageRow, Place, RowSource } from '../../src/table/source/row-source.ts'
import type { Value } from '../../src/table/source/value.ts'

export type Walked = Pick<PageQuery, 'columns' | 'where' | 'sort' | 'size'>

/** Pages through the rows of one query. */
export class Walk {
  readonly #source: RowSource
  readonly #access: Access
  readonly #query: Walked

  constructor(source: RowSource, access: Access, query: Walked) {
    this.#source = source
    this.#access = access
    this.#query = query
  }

  get size(): number {
    return this.#query.size
  }

  read(place: Place) {
    return this.#source.page(this.#access, { ...this.#query, place })
  }

  beside(at: 'after' | 'before', { sort, key }: PageRow): Place {
    return { at, anchor: { sort, key } }
  }

  async forwards(): Promise<Value[][]> {
    const rows: Value[][] = []
    let page = await this.read({ at: 'first' })
    expect(page.before).toBe(false)
    while (true) {
      rows.push(...page.rows.map(({ values }) => [...values]))
      if (!page.after) return rows
      page = await this.read(this.beside('after', page.rows.at(-1)!))
      expect(page.before).toBe(true)
    }
  }

  async backwards(count: number): Promise<Value[][]> {
    const rows: Value[][] = []
    let page = await this.read({ at: 'last', rows: count % this.size || this.size })
    expect(page.after).toBe(false)
    while (true) {
      rows.unshift(...page.rows.map(({ values }) => [...values]))
      if (!page.before) return rows
      page = await this.read(this.beside('before', page.rows[0]!))
      expect(page.after).toBe(true)
    }
  }
}

/** From page to page in both directions, and by jumps from both ends. */
export async function expectWalks(walk: Walk, expected: readonly Value[][]): Promise<void> {
  expect(await walk.forwards()).toEqual(expected)
  expect(await walk.backwards(expected.length)).toEqual(expected)
  const total = expected.length
  for (let skip = 0; skip <= total; skip += 3)
    for (const place of [
      { at: 'offset', skip },
      { at: 'offset', skip, total },
    ] as const) {
      const { rows, before, after } = await walk.read(place)
      expect(rows.map(({ values }) => values)).toEqual(expected.slice(skip, skip + walk.size))
      if (rows.length > 0) expect([before, after]).toEqual([skip > 0, skip + walk.size < total])
    }
}
