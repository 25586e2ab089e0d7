/** A workbook of XLSX around the rows of an export: as many sheets as they need, each with its head. */

import type { ZipFile } from '../../server/zip.ts'
import type { ValueType } from '../source/schema.ts'
import { escapeText, xlsxHead } from '../source/xlsx-rows.ts'
import { STYLE_LISTS } from '../source/xlsx-styles.ts'

/** Lines of a file, with whether they begin a sheet. */
export type SheetPart = { readonly pieces: readonly Uint8Array[]; readonly isFirst: boolean }

export type Workbook = {
  /** Name of its sheets. */
  readonly name: string
  readonly columns: readonly { readonly label: string; readonly type: ValueType }[]
}

/** The files of the workbook. Nothing is given out before there are rows, or it is known that there are none. */
export async function* workbookFiles(
  { name, columns }: Workbook,
  parts: AsyncIterator<SheetPart, void>,
): AsyncGenerator<ZipFile> {
  let part = await parts.next()
  yield file('[Content_Types].xml', TYPES)
  yield file('_rels/.rels', relations([['officeDocument', WORKBOOK]]))
  yield file(STYLE_FILE, STYLE_SHEET)
  let sheets = 0
  async function* sheet() {
    yield encode(sheetStart(columns))
    do {
      if (part.done) break
      yield* part.value.pieces
      part = await parts.next()
    } while (!part.done && !part.value.isFirst)
    yield encode('</sheetData></worksheet>')
  }
  do {
    sheets++
    yield { name: `xl/worksheets/sheet${sheets}.xml`, content: sheet() }
  } while (!part.done)
  const targets = Array.from({ length: sheets }, (_, at) => `worksheets/sheet${at + 1}.xml`)
  yield file(
    'xl/_rels/workbook.xml.rels',
    relations([
      ...targets.map((target) => ['worksheet', target] as const),
      ['styles', 'styles.xml'],
    ]),
  )
  yield file(WORKBOOK, workbook(sheetNames(name, sheets)))
}

const encode = (text: string): Uint8Array => Buffer.from(text)

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const file = (name: string, text: string): ZipFile => ({ name, content: [encode(HEAD + text)] })

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SHEETS = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const [WORKBOOK, STYLE_FILE] = ['xl/workbook.xml', 'xl/styles.xml']

/** A sheet is what every file is that is not named: nobody knows yet how many there will be. */
const TYPES = `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/${WORKBOOK}" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/${STYLE_FILE}" ContentType="${TYPE}.styles+xml"/></Types>`

const relations = (all: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
    .map(
      ([type, target], at) =>
        `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`

const STYLE_SHEET = `<styleSheet xmlns="${SHEETS}">${STYLE_LISTS}</styleSheet>`

/** Widths in characters. */
const WIDTHS: { readonly [type in ValueType]?: number } = {
  boolean: 8,
  date: 12,
  datetime: 20,
  time: 10,
  integer: 12,
  decimal: 14,
  float: 14,
}
const TEXT_WIDTH = 28
const WIDEST = 60

/** The head stays in sight. */
const sheetStart = (columns: Workbook['columns']): string =>
  `${HEAD}<worksheet xmlns="${SHEETS}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>${
    columns.length === 0
      ? ''
      : `<cols>${columns
          .map(({ label, type }, at) => {
            const width = Math.max(WIDTHS[type] ?? TEXT_WIDTH, Math.min(WIDEST, label.length + 3))
            return `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`
          })
          .join('')}</cols>`
  }<sheetData>${xlsxHead(columns.map(({ label }) => label))}`

const workbook = (names: readonly string[]): string =>
  `<workbook xmlns="${SHEETS}" xmlns:r="${OFFICE}"><sheets>${names
    .map(
      (name, at) =>
        `<sheet name="${escapeText(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
    )
    .join('')}</sheets></workbook>`

/** Characters of a sheet's name, at most. */
const NAME_MAX = 31

/** Names that Excel takes, the first one without a number. */
function sheetNames(label: string, count: number): string[] {
  const plain = label.replace(/[[\]:*?/\\\p{C}]/gu, ' ').trim()
  return Array.from({ length: count }, (_, at) => {
    const number = at === 0 ? '' : ` ${at + 1}`
    const name = plain.slice(0, NAME_MAX - number.length).trim() + number
    const taken = name.replace(/^'+|'+$/g, '').trim() || `Rows${number}`
    // Excel keeps this name for itself.
    return /^history$/i.test(taken) ? `${taken} rows` : taken
  })
}
