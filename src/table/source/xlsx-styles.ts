/** The styles of cells in a sheet of XLSX, by name: their places, which rows tell, and the file that describes them. */

type Style = {
  /** A number format of one's own, or the number of one that every program has. Default: the general one. */
  readonly format?: string | number
  readonly isBold?: boolean
  /** Typed into again, the cell stays a text. */
  readonly isText?: boolean
}

const styles: Style[] = []

/** The place of a style in the list, at whose end it is put. */
const listed = (style: Style): number => styles.push(style) - 1

/** Their places. Cells that name no style have the first one. */
export const STYLES = {
  plain: listed({}),
  head: listed({ isBold: true }),
  whole: listed({ format: 1 }),
  cents: listed({ format: 2 }),
  day: listed({ format: 'yyyy-mm-dd' }),
  moment: listed({ format: 'yyyy-mm-dd hh:mm:ss' }),
  time: listed({ format: 'hh:mm:ss' }),
  sign: listed({ isText: true }),
}

/** Numbers of formats of one's own begin here. */
const FIRST_FORMAT = 164
const formats = styles.flatMap(({ format }) => (typeof format === 'string' ? [format] : []))

const FONTS: readonly string[] = ['', '<b/>']
const FILLS = ['none', 'gray125'].map(
  (pattern) => `<fill><patternFill patternType="${pattern}"/></fill>`,
)
const BORDER = '<border><left/><right/><top/><bottom/><diagonal/></border>'

const list = (name: string, all: readonly string[]): string =>
  `<${name} count="${all.length}">${all.join('')}</${name}>`

function cellStyle({ format = 0, isBold = false, isText = false }: Style): string {
  const number = typeof format === 'string' ? FIRST_FORMAT + formats.indexOf(format) : format
  const font = isBold ? '1" applyFont="1' : '0'
  return `<xf numFmtId="${number}" fontId="${font}" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"${isText ? ' quotePrefix="1"' : ''}/>`
}

/** What stands in the file of styles. It also has the plain font, fills and border that a workbook must have. */
export const STYLE_LISTS = [
  list(
    'numFmts',
    formats.map((code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${code}"/>`),
  ),
  list(
    'fonts',
    FONTS.map((style) => `<font>${style}<sz val="11"/><name val="Calibri"/></font>`),
  ),
  list('fills', FILLS),
  list('borders', [BORDER]),
  list('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']),
  list('cellXfs', styles.map(cellStyle)),
].join('')
