/** Orders and customers of an invented shop, each computed from its id alone. */

import { isoDate } from './dates.ts'
import { fraction, hash, pick, slots } from './hash.ts'

/** The salts are those of the reference measurements, so that their row counts hold here too. */
const salt = { customer: 3, status: 4, total: 5, placed: 6, note: 20, syllable: 91 }
const nameSalt = { first: 41, last: 42 }

const statuses = slots({ new: 3, paid: 4, shipped: 10, cancelled: 2, refunded: 1 })

const DAY_SECONDS = 86_400
const FIRST_DAY = Date.UTC(2021, 0, 1) / (DAY_SECONDS * 1000)
/** 2021 to 2024. Formatted once, because a million `Date`s take longer than everything else. */
const days = Array.from({ length: 4 * 365.25 }, (_, day) => isoDate(FIRST_DAY + day))

const syllables = 'ba de fi go ku la me ni po ru sa te vi wo zu ro'.split(' ')
const words = Array.from({ length: 2_000 }, (_, index) =>
  [0, 1, 2].map((place) => pick(syllables, hash(index, salt.syllable + place))).join(''),
)

const firstNames = (
  'Amara Bruno Chloé Dmitri Elif Femi Greta Hassan Iris João Kaya Liam Mei Nadia Omar Petra ' +
  'Quentin Rosa Sven Tariq Uma Viktor Wanda Ximena Yara Zoltán'
).split(' ')
const lastNames = (
  'Abbott Bianchi Castro Dahl Eriksen Fischer Gomes Hughes Ito Jansen Kowalski Lefèvre Mbeki ' +
  'Novák Okoye Park Quispe Rossi Silva Tanaka Ueda Vargas Weber Xu Yilmaz Zimmer'
).split(' ')

/** The values of `customers (id, name, email)`. */
export function customerOf(id: number): [number, string, string] {
  const first = pick(firstNames, hash(id, nameSalt.first))
  const last = pick(lastNames, hash(id, nameSalt.last))
  return [id, `${first} ${last}`, `customer${id}@shop.example`]
}

/** The columns of `orders`, in order. */
type Order = [
  id: number,
  customerId: number,
  status: string,
  total: number,
  placedAt: string,
  note: string,
  position: number,
]

/** The values of one order, which belongs to one of so many customers. */
export function orderOf(id: number, customers: number): Order {
  return [
    id,
    1 + (hash(id, salt.customer) % customers),
    pick(statuses, hash(id, salt.status)),
    Math.round((1 + fraction(id, salt.total) ** 2 * 4_999) * 100) / 100,
    placedAt(hash(id, salt.placed) % (days.length * DAY_SECONDS)),
    noteOf(id),
    id,
  ]
}

function placedAt(seconds: number): string {
  const time = seconds % DAY_SECONDS
  const clock = [Math.floor(time / 3600), Math.floor(time / 60) % 60, time % 60]
  return `${pick(days, Math.floor(seconds / DAY_SECONDS))} ${clock.map(twoDigits).join(':')}`
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`
}

function noteOf(id: number): string {
  let note = wordOf(id, 0)
  for (let place = 1; place < 7; place += 1) note += ` ${wordOf(id, place)}`
  return note
}

function wordOf(id: number, place: number): string {
  return pick(words, hash(id, salt.note + place))
}
