/** Values that identify something: every digit, without separators. */

import { isUniqueColumn } from '../../source/schema.ts'
import { all, any, type ColumnTest, setOf } from '../column-facts.ts'
import { defineKind } from '../kind.ts'

const NAMES = setOf(`
  id year code ean upc isbn gtin barcode zip postcode plz phone mobile telephone fax imei iban vat ssn sku extension pin
`)
const UUID_NAMES = setOf('uuid guid')

const NUMBERED = setOf('number no nr')

/** Words before a number that names something, however many rows have it. */
const OF_NAMES = setOf(`
  phone mobile telephone fax account card routing serial passport license licence tracking vat tax
`)
const namesBy: ColumnTest = ({ last, words }) =>
  NUMBERED.has(last) && OF_NAMES.has(words.at(-2) ?? '')

/** Such as the number of an order: no two rows have the same. */
const isNumbered: ColumnTest = ({ last, column, table }) =>
  NUMBERED.has(last) && isUniqueColumn(column.name, table)

const isKey: ColumnTest = ({ column, table }) => table.key.includes(column.name)
const isCalledUuid: ColumnTest = ({ last }) => UUID_NAMES.has(last)

export const isUuid = (text: string): boolean =>
  /^\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?$/i.test(text)

const NUMBER = ['integer', 'decimal', 'float'] as const

export const key = defineKind({
  name: 'key',
  infer: [
    { by: 'structure', when: [isKey] },
    { types: ['text'], when: [all(isUuid)] },
    { types: ['text'], when: [isCalledUuid, any(isUuid)] },
    { types: NUMBER, when: [({ column }) => column.identity === true] },
    { types: NUMBER, when: [({ last }) => NAMES.has(last)] },
    { types: NUMBER, when: [isNumbered] },
    { types: NUMBER, when: [namesBy] },
    { types: NUMBER, when: [({ column }) => /^year\b/i.test(column.declared)] },
  ],
  cell: () => String,
  namesRows: true,
})
