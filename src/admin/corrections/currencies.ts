/** The currency of a column of amounts: a column that says it, or one of all, as a form's choice and in words. */

import { messagesFor } from '../../messages/messages.ts'
import type { CorrectionChoice } from '../../protocol/corrections-view.ts'
import { isJsonObject, type Json } from '../../protocol/json.ts'
import type { Reader } from '../../server/http/locale.ts'
import type { OpenTable } from '../../table/catalog.ts'
import { CODES } from '../../table/definition/currency.ts'
import type { TableDefinition } from '../../table/definition/table-definition.ts'

/** Tells the code of a currency from the name of a column. */
const CODE = 'code:'

/** Columns that may name currencies, then the currencies themselves. */
export function currencyChoices(open: OpenTable, reader: Reader): CorrectionChoice[] {
  const { currencies: group } = messagesFor(reader.language).corrections
  const nameOf = namesFor(reader)
  const currencies = [...CODES].map((code) => ({
    ...{ value: CODE + code, label: nameOf(code), group },
  }))
  return [...columnsIn(open), ...currencies]
}

const columnsIn = ({ definition, access }: OpenTable): CorrectionChoice[] =>
  definition.table.columns.flatMap(({ name, type, array }) => {
    const column = definition.columns.get(name)
    const isFit = type === 'text' && !array && column?.maskedBy === undefined
    return column && isFit && access.canRead(name) ? { value: name, label: column.label } : []
  })

/** Currencies by their codes and names. */
function namesFor({ language }: Reader): (code: string) => string {
  const names = new Intl.DisplayNames(language, { type: 'currency', fallback: 'none' })
  const { currencyNamed } = messagesFor(language).corrections
  return (code) => {
    const name = names.of(code)
    return name === undefined ? code : currencyNamed(code, name)
  }
}

/** The code of an option that names one currency. */
const codeIn = (value: Json): string | undefined =>
  isJsonObject(value) && typeof value['code'] === 'string' ? value['code'] : undefined

/** What the choice sends of the option; empty for none. */
export function choiceOf(value: Json): string {
  const code = codeIn(value)
  return code === undefined ? (typeof value === 'string' ? value : '') : CODE + code
}

/** The option that a choice stands for: that there is none is said by `false`. */
export function optionOf(choice: string, { table }: Pick<TableDefinition, 'table'>): Json {
  if (choice === '') return false
  const isColumn = table.columns.some(({ name }) => name === choice)
  return isColumn || !choice.startsWith(CODE) ? choice : { code: choice.slice(CODE.length) }
}

/** The currency in words; `undefined` where a column says it, or nothing does. */
export function currencyWords(value: Json, reader: Reader): string | undefined {
  const code = codeIn(value)
  return code === undefined ? undefined : namesFor(reader)(code)
}
