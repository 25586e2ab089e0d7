/** One page of a SQLite table: read from the right end, cut to size, with related rows' labels. */

import type { Access } from '../../table/access.ts'
import type { Anchor, PageQuery, Place, RowPage, Run } from '../../table/row-source.ts'
import { readCount } from './count.ts'
import { withLabels } from './labels.ts'
import { pageQuestion } from './page-question.ts'
import { isAtAnchor, pageRows } from './page-rows.ts'
import { pageShape, type PageShape, type Reading } from './page-sql.ts'
import type { Sources } from './reader.ts'
import type { Cell } from './values.ts'

/** Rows in the page's order, and what lies around them. */
type Slice = { readonly rows: Cell[][] } & Pick<RowPage, 'before' | 'after' | 'indexed'>

/** A table without a row number, such as a view, is read by counting from its start. */
export async function readPage(
  sources: Sources,
  access: Access,
  query: PageQuery,
  run?: Run,
): Promise<RowPage> {
  const shape = pageShape(sources.file.catalogue, access, query)
  const { rows, before, after, indexed } = await new PageReader(sources, shape, run).slice(
    query.place,
  )
  return {
    rows: await withLabels(sources, query, pageRows(shape, rows), run),
    before,
    after,
    indexed,
  }
}

class PageReader {
  readonly #sources: Sources
  readonly #shape: PageShape
  readonly #run: Run | undefined

  constructor(sources: Sources, shape: PageShape, run: Run | undefined) {
    this.#sources = sources
    this.#shape = shape
    this.#run = run
  }

  slice(place: Place): Promise<Slice> {
    const { size } = this.#shape.query
    switch (place.at) {
      case 'first':
        return this.#edge(false, size)
      case 'last':
        return this.#shape.isCounted ? this.#countedEnd(place.rows) : this.#edge(true, place.rows)
      case 'after':
      case 'before':
        return this.#beside(place.at === 'before', place.anchor)
      case 'offset':
        return this.#jump(place.skip, place.total)
    }
  }

  async #edge(backwards: boolean, size: number): Promise<Slice> {
    const { rows, isServed } = await this.#read({ from: 'edge', backwards }, size + 1)
    return cut(rows, size, { backwards, behind: false, indexed: isServed })
  }

  /** Reads the anchor along with what follows it, so that one read tells what is on both sides. */
  async #beside(backwards: boolean, anchor: Anchor): Promise<Slice> {
    const { size } = this.#shape.query
    const reading = { from: 'anchor', backwards, anchor } as const
    const { rows, isServed } = await this.#read(reading, size + 2)
    const isThere = rows[0] !== undefined && isAtAnchor(this.#shape, rows[0], anchor)
    const behind = isThere || (await this.#isAnyAt({ ...reading, backwards: !backwards }))
    const beyond = isThere ? rows.slice(1) : rows
    return cut(beyond, size, { backwards, behind, indexed: isServed })
  }

  async #isAnyAt(reading: Reading): Promise<boolean> {
    return (await this.#read(reading, 1)).rows.length > 0
  }

  async #jump(skip: number, total?: number): Promise<Slice> {
    const { query, isCounted } = this.#shape
    if (total === undefined || isCounted || 2 * skip + query.size <= total)
      return this.#skip(skip, query.size, false)
    const fromEnd = total - skip - query.size
    return this.#skip(Math.max(0, fromEnd), query.size + Math.min(0, fromEnd), true)
  }

  async #skip(skip: number, size: number, backwards: boolean): Promise<Slice> {
    if (size <= 0) return { rows: [], before: true, after: false, indexed: true }
    const { rows, isServed } = await this.#read({ from: 'offset', backwards, skip }, size + 1)
    return cut(rows, size, { backwards, behind: skip > 0, indexed: isServed })
  }

  async #countedEnd(size: number): Promise<Slice> {
    const { access, query } = this.#shape
    const { count } = await readCount(this.#sources, access, query.where, this.#run)
    return this.#skip(Math.max(0, count - size), size, false)
  }

  #read(reading: Reading, limit: number) {
    return this.#sources.reader.read(
      pageQuestion(this.#sources.file, this.#shape, reading, limit),
      this.#run,
    )
  }
}

type Cut = { readonly backwards: boolean; readonly behind: boolean; readonly indexed: boolean }

/** The row too many tells that there are more. */
function cut(read: Cell[][], size: number, { backwards, behind, indexed }: Cut): Slice {
  const ahead = read.length > size
  const rows = ahead ? read.slice(0, size) : read
  return backwards
    ? { rows: rows.toReversed(), before: ahead, after: behind, indexed }
    : { rows, before: behind, after: ahead, indexed }
}
