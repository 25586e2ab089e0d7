/** Rows from short recipes that stand beside the columns of a schema, the same ones each time. */

import { createHash } from 'node:crypto'

type Cell = string | number | null

export type MadeColumn = {
  readonly name: string
  readonly declared: string
  readonly recipe: string
  /** The keys of the rows that it refers to. */
  readonly parents?: readonly Cell[]
}

const list = (words: string): readonly string[] => words.trim().split(/\s*[,\n]\s*/)

const FIRST =
  list(`Anna, Ben, Chloe, David, Elif, Farid, Greta, Hugo, Ines, Jonas, Katja, Leo, Maria, Noah, Olga, Paul, Quentin,
  Rosa, Samir, Tara, Umut, Vera, Willem, Xenia, Yusuf, Zoe, Amir, Bea, Carlos, Dunja, Emil, Fiona, Goran, Hana, Igor, Jana, Kofi`)
const LAST =
  list(`Keller, Novak, Smith, Garcia, Rossi, Dubois, Yilmaz, Haddad, Okafor, Larsen, Kovacs, Silva, Murphy, Sato, Ivanova,
  Meyer, Costa, Brandt, Fischer, Nguyen, Patel, Romero, Schmid, Tanaka, Urban, Vogel, Weber, Young, Zeman, Adler, Bauer`)
const CITIES =
  list(`Berlin, London, Paris, Graz, Luleå, Madrid, Torino, Portland, Seattle, Lyon, Bern, Aachen, Cork, Lisboa, Oulu,
  Warszawa, Bergen, Nantes, Kiel, Reims, Toulouse, Sevilla, Leipzig, Eugene, Boise, Helsinki, Stavern, Marseille, Tsawassen, Elgin`)
const COUNTRIES = list(
  `Germany, France, Austria, Spain, Italy, Portugal, Norway, Finland, Canada, Brazil`,
)
const CODES = list('DE, FR, AT, ES, IT, PT, NO, FI, CA, BR')
const REGIONS =
  list(`Alabama, Alaska, Arizona, Bavaria, Bremen, California, Delaware, Florida, Georgia, Hawaii, Hessen, Idaho, Indiana,
  Iowa, Kansas, Maine, Nevada, Ohio, Oregon, Saxony, Styria, Texas, Tyrol, Utah, Vermont, Vienna, Wyoming`)
const NAMES =
  list(`Alfa, Borealis, Cedar, Delta, Ember, Fjord, Granite, Harbour, Ivy, Juniper, Kestrel, Lantern, Meridian, Nordic,
  Orchard, Pioneer, Quarry, Ridge, Sable, Tern, Umbra, Vela, Willow, Yarrow, Zephyr, Anchor, Birch, Cobalt, Dune`)
const NOUNS =
  list(`lamp, table, report, kettle, ladder, bottle, window, jacket, bridge, guide, camera, engine, garden, pillow, saddle,
  ticket, wallet, basket, mirror, hammer, carpet, signal, blanket, compass`)
const ENDINGS = list('Ltd, GmbH, & Sons, Trading, Foods, Group, Works, Partners, SA')
const TEXT =
  list(`the delivery came a day later than we had agreed, please send the papers to the office in town, it works well after
  the second start, somebody from the team will call back in the morning, the colour differs a little from the picture, we have
  changed the address as you asked, this happens only when two people save at once, the old part no longer fits, everything was
  packed with great care, it is not clear who has to sign, we look forward to the next visit, a short test has shown no fault`)

/** A number that depends on nothing but its parts. */
const chance = (...parts: unknown[]): number =>
  createHash('md5').update(JSON.stringify(parts)).digest().readUInt32BE()

const pick = <T>(from: readonly T[], ...parts: unknown[]): T =>
  from[chance(...parts) % from.length]!

const from = <T>(all: readonly T[], at: number): T => all[at % all.length]!
const digits = (at: number, length: number): string => String(at).padStart(length, '0')

const DAY = 86_400_000
const BEGIN = Date.UTC(2023, 0, 2, 8)
const moment = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** What a value is made from: the row's place, the number of rows, and a name to scatter by. */
type Place = { readonly row: number; readonly rows: number; readonly scatter: string }

/** A moment of two years, later in each row. */
const rising = ({ row, rows, scatter }: Place): number => {
  const step = (700 * DAY) / rows
  return (
    Math.floor((BEGIN + row * step + (chance(scatter, row, 'rise') % (step * 0.8))) / 1000) * 1000
  )
}
const anyTime = ({ row, scatter }: Place): number =>
  BEGIN + (chance(scatter, row, 'time') % (700 * 86_400)) * 1000

const person = ({ row }: Place) => ({
  first: from(FIRST, row),
  last: from(LAST, row * 7 + Math.floor(row / 37)),
})
const title = ({ row, scatter }: Place): string =>
  `${from(NAMES, row + (chance(scatter) % 20))} ${from(NOUNS, row * 5 + Math.floor(row / 24))}`
const sentences = (count: number, { row, scatter }: Place): string =>
  Array.from({ length: count }, (_, at) => pick(TEXT, scatter, row, at))
    .map((text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`)
    .join(' ')
const hex = (length: number, { row, scatter }: Place): string =>
  Array.from({ length: Math.ceil(length / 32) }, (_, at) =>
    createHash('md5').update(`${scatter} ${row} ${at}`).digest('hex'),
  )
    .join('')
    .slice(0, length)
const slug = (place: Place): string => title(place).toLowerCase().replace(/\s/g, '-')

const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const code = (length: number, { row, scatter }: Place): string =>
  Array.from(
    { length },
    (_, at) => LETTERS[chance(scatter, row, at, 'code') % LETTERS.length],
  ).join('')

const MAKERS: Readonly<Record<string, (place: Place, rest: string) => Cell>> = {
  seq: ({ row }, first) => row + Number(first || 1),
  first: (place) => person(place).first,
  last: (place) => person(place).last,
  full: (place) => `${person(place).first} ${person(place).last}`,
  user: (place) => `${person(place).first}.${person(place).last}`.toLowerCase(),
  email: (place) =>
    `${person(place).first}.${person(place).last}@example.${place.row % 2 ? 'org' : 'com'}`.toLowerCase(),
  company: (place) =>
    `${from(NAMES, place.row)} ${from(ENDINGS, place.row * 4 + Math.floor(place.row / 29))}`,
  city: ({ row, scatter }) =>
    row < CITIES.length ? from(CITIES, row) : pick(CITIES, scatter, row),
  country: ({ row, scatter }) => pick(COUNTRIES, scatter, row),
  countrycode: ({ row, scatter }) => pick(CODES, scatter, row),
  region: ({ row, scatter }) =>
    row < REGIONS.length ? from(REGIONS, row) : pick(REGIONS, scatter, row),
  street: ({ row, scatter }) =>
    `${1 + (chance(scatter, row) % 190)} ${pick(LAST, scatter, row)} Street`,
  postal: ({ row, scatter }) => digits(chance(scatter, row, 'postal') % 100_000, 5),
  phone: ({ row, scatter }) => `+49 30 ${digits(chance(scatter, row, 'phone') % 10_000_000, 7)}`,
  words: title,
  sentence: (place) => sentences(1, place),
  text: (place) => sentences(4, place),
  slug,
  path: (place) => `/${slug(place)}/`,
  url: (place) => `https://www.example.org/${slug(place)}`,
  host: ({ row, scatter }) =>
    `${from(NAMES, row).toLowerCase()}${row > 28 ? row : ''}.example.${pick(['org', 'net'], scatter)}`,
  image: (place) => `https://img.example.org/${slug(place)}.jpg`,
  file: (place) => `${slug(place)}.${pick(['jpg', 'pdf', 'png'], place.scatter, place.row)}`,
  uuid: (place) =>
    hex(32, place)
      .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5')
      .slice(0, 36),
  hex: (place, length) => hex(Number(length), place),
  code: (place, length) => code(Number(length), place),
  ip: ({ row, scatter }) => `10.0.${chance(scatter, row) % 200}.${chance(row, scatter) % 250}`,
  colour: (place) => `#${hex(6, place)}`,
  agent: ({ row, scatter }) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${110 + (chance(scatter, row) % 20)}.0 Safari/537.36`,
  json: ({ row }) => `{"step":${row % 4},"source":"web"}`,
  time: (place) => moment(anyTime(place)),
  day: (place) => moment(anyTime(place)).slice(0, 10),
  rise: (place) => moment(rising(place)),
  riseday: (place) => moment(rising(place)).slice(0, 10),
  epoch: (place) => rising(place) / 1000,
  epochms: rising,
  in: ({ row }, rest) => {
    const values = rest.split(' | ')
    return row < values.length
      ? values[row]!
      : `${from(values, row)} ${Math.floor(row / values.length) + 1}`
  },
  'in-range': ({ row }, to) => (row % Number(to)) + 1,
  like: ({ row }, pattern) =>
    pattern.replace(/(\d+)(?=\D*$)/, (number) => digits(Number(number) + row, number.length)),
}

const RANGE = /^(-?\d+(?:\.(\d+))?)\.\.(-?\d+(?:\.\d+)?)$/

/** The cell of a row, by the recipe of its column. */
export function makeCell(column: MadeColumn, columns: readonly MadeColumn[], place: Place): Cell {
  const { parents, name } = column
  const [, recipe = '', share] = /^(.*?)(?: \?(\d+))?$/.exec(column.recipe) ?? []
  if (share !== undefined && chance(name, place, 'null') % 100 < Number(share)) return null
  if (parents && (recipe === '' || recipe === 'unique'))
    return parents.length === 0
      ? null
      : recipe === ''
        ? pick(parents, name, place)
        : from(parents, place.row)
  if (recipe === '') return MAKERS['seq']!(place, '')
  const [word = '', ...rest] = recipe.split(' ')
  if (word === 'lower' || word === 'upper') {
    const other = columns.find((one) => one.name === rest[0])!
    const text = String(makeCell(other, columns, place))
    return word === 'lower' ? text.toLowerCase() : text.toUpperCase()
  }
  if (word === '=') return written(recipe.slice(2), column)
  const make = recipe.includes(' | ') && word !== 'in' ? undefined : MAKERS[word]
  if (make) return make({ ...place, scatter: place.scatter + SCATTERED(column) }, rest.join(' '))
  const range = RANGE.exec(recipe)
  if (range) {
    const [, least = '', places = '', most = ''] = range
    const factor = 10 ** places.length
    const span = Math.round((Number(most) - Number(least)) * factor) + 1
    const number = (Math.round(Number(least) * factor) + (chance(name, place) % span)) / factor
    return /char|text/i.test(column.declared) ? number.toFixed(places.length) : number
  }
  return written(pick(recipe.split(' | '), name, place), column)
}

/** A title and its slug are of the same words. */
const SCATTERED = ({ recipe, name }: MadeColumn): string =>
  /^(words|slug|path)$/.test(recipe) ? '' : name

const written = (text: string, { declared }: MadeColumn): Cell => {
  if (text === 'null') return null
  if (text === '""') return ''
  return /char|text|json|date/i.test(declared) || !/^-?[\d.]+$/.test(text) ? text : Number(text)
}
