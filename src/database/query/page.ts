/** Reads one page of a table from the nearer end, with related rows' labels. */

import type { Access } from '../../table/source/access.ts'
import type { Anchor, PageQuery, Place, RowPage, Run } from '../../table/source/row-source.ts'
import type { Value } from '../../table/source/value.ts'
import { countRows, readCount } from './count.ts'
import type { Answer, QueryRunner } from '../query-runner.ts'
import { relatedBy, withLabels } from './labels.ts'
import { checkRelation } from './lookups.ts'
import { isAtAnchor, pageRows } from './page-rows.ts'
import { pageShape, runsOf, type PageShape, type Start } from './page-sql.ts'
import { jumpQuestion, startQuestion } from './question.ts'

/** Rows in the page's order, and whether there are others before and after. */
type Slice = { readonly rows: Value[][] } & Omit<RowPage, 'rows'>

/** Without a row number or key, as in a view, a page is found by counting from the start. */
export async function readPage(
  runner: QueryRunner,
  access: Access,
  query: PageQuery,
  run?: Run,
): Promise<RowPage> {
  const shape = pageShape(runner.catalogue, access, query)
  for (const relation of query.related ?? [])
    checkRelation(runner, query.columns, relatedBy(relation))
  const { rows, ...around } = await new PageReader(runner, shape, run).slice(query.place)
  return {
    rows: await withLabels(runner, query, pageRows(shape, rows), run),
    ...around,
    ...(!shape.isTotal && { unordered: true }),
  }
}

class PageReader {
  readonly #runner: QueryRunner
  readonly #shape: PageShape
  readonly #run: Run | undefined

  constructor(runner: QueryRunner, shape: PageShape, run: Run | undefined) {
    this.#runner = runner
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
        return this.#nextTo(place.at === 'before', place.anchor)
      case 'offset':
        return this.#jump(place.skip, place.total)
    }
  }

  async #edge(backwards: boolean, size: number): Promise<Slice> {
    return cut(await this.#read({ backwards }, size + 1), size, { backwards, behind: false })
  }

  /** Reads the anchor's row with those after it, so that one read tells whether rows exist on both sides. */
  async #nextTo(backwards: boolean, anchor: Anchor): Promise<Slice> {
    const { size } = this.#shape.query
    const answer = await this.#read({ backwards, anchor }, size + 2)
    const [first] = answer.rows
    const isThere = first !== undefined && isAtAnchor(this.#shape, first, anchor)
    const behind = isThere || (await this.#isAnyAt({ backwards: !backwards, anchor }))
    const rows = isThere ? answer.rows.slice(1) : answer.rows
    return cut({ ...answer, rows }, size, { backwards, behind })
  }

  async #isAnyAt(start: Start): Promise<boolean> {
    return (await this.#read(start, 1)).rows.length > 0
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
    const answer = await this.#readOver(skip, size + 1, backwards)
    return cut(answer, size, { backwards, behind: skip > 0 })
  }

  /** An index serves rows with a value, and rows without one, as separate runs. */
  async #readOver(skip: number, limit: number, backwards: boolean): Promise<Answer> {
    const { access, query } = this.#shape
    const runs = runsOf(this.#runner, this.#shape, { backwards })
    let [rows, left]: [Value[][], number] = [[], skip]
    let last: Answer = { rows, isServed: true }
    for (const run of runs) {
      if (rows.length >= limit) break
      const jump = { run, skip: left, limit: limit - rows.length }
      last = await this.#runner.read(jumpQuestion(this.#runner, this.#shape, jump), this.#run)
      rows = rows.concat(last.rows)
      const isBeyond = left > 0 && last.rows.length === 0 && run !== runs.at(-1)
      const { where, sort } = query
      const passed = { access, where, runs: [run], sort, most: left }
      left = isBeyond ? left - (await countRows(this.#runner, passed, this.#run)) : 0
    }
    return { ...last, rows }
  }

  async #countedEnd(size: number): Promise<Slice> {
    const { access, query } = this.#shape
    const { count } = await readCount(this.#runner, access, query.where, this.#run)
    return this.#skip(Math.max(0, count - size), size, false)
  }

  #read(start: Start, limit: number): Promise<Answer> {
    return this.#runner.read(startQuestion(this.#runner, this.#shape, start, limit), this.#run)
  }
}

type Ends = { readonly backwards: boolean; readonly behind: boolean }

/** One row more than `size` tells that there are more. */
function cut(
  { rows: read, isServed: indexed, advice }: Answer,
  size: number,
  { backwards, behind }: Ends,
): Slice {
  const ahead = read.length > size
  const rows = ahead ? read.slice(0, size) : read
  const around = backwards ? { before: ahead, after: behind } : { before: behind, after: ahead }
  return {
    rows: backwards ? rows.toReversed() : rows,
    ...around,
    indexed,
    ...(advice !== undefined && { advice }),
  }
}
