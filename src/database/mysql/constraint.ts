/** Finds the refused columns in the server's error for a violated constraint. */

import type { Access } from '../../table/source/access.ts'
import type { Refused, Values } from '../../table/source/write-unit.ts'
import type { Failure } from './failure.ts'
import type { MysqlTable } from './tables.ts'

/** By the server's error number. */
const RULES: Readonly<Record<number, Refused['rule']>> = {
  1048: 'required',
  1062: 'unique',
  1136: 'type',
  1216: 'reference',
  1217: 'reference',
  1263: 'required',
  1288: 'view',
  1264: 'type',
  1265: 'type',
  1292: 'type',
  1348: 'view',
  1364: 'required',
  1365: 'type',
  1366: 'type',
  1367: 'type',
  1369: 'leaving',
  1393: 'view',
  1394: 'view',
  1395: 'view',
  1406: 'type',
  1411: 'type',
  1416: 'type',
  1441: 'type',
  1442: 'trigger',
  1451: 'reference',
  1452: 'reference',
  1471: 'view',
  1526: 'check',
  1586: 'unique',
  1690: 'type',
  1761: 'reference',
  1762: 'unique',
  1906: 'view',
  3037: 'type',
  3105: 'view',
  3140: 'type',
  3157: 'type',
  3616: 'type',
  3617: 'type',
  3751: 'type',
  3819: 'check',
  4025: 'check',
}

/** Whether a constraint or trigger refused a value. A trigger usually signals `45000`. */
export const isRefusal = ({ errno, sqlState }: Failure): boolean =>
  errno !== null && (errno in RULES || sqlState === '45000' || errno === 1644)

/** `values` are the refused values. Names only columns that the actor may read. */
export function refusal(failure: Failure, of: MysqlTable, access: Access, values: Values): Refused {
  const found = RULES[failure.errno ?? -1] ?? 'trigger'
  const written = Object.keys(values)
  const columns = columnsOf(found, failure, of, written)
  const isJson = found === 'check' && columns.some((column) => isJsonCheck(of, failure, column))
  const rule = isJson ? 'type' : found
  const named = columns.filter((column) => access.canRead(column))
  return rule === 'trigger'
    ? { status: 'refused', rule, columns: named, message: failure.message }
    : { status: 'refused', rule, columns: named }
}

/** MariaDB checks JSON with a constraint that has the column's name. */
const isJsonCheck = (of: MysqlTable, { message }: Failure, column: string): boolean =>
  of.columns.get(column)?.kind.is === 'json' && constraintIn(message) === column

function columnsOf(
  rule: Refused['rule'],
  { message }: Failure,
  of: MysqlTable,
  written: readonly string[],
): readonly string[] {
  switch (rule) {
    case 'required':
    case 'type':
    case 'view':
      return isGeometry(message)
        ? written.filter((column) => of.columns.get(column)?.kind.is === 'geometry')
        : known(of, namesIn(message)).slice(0, 1)
    case 'unique':
      return of.constraints.get(keyIn(message)) ?? []
    case 'check':
      return of.constraints.get(constraintIn(message)) ?? []
    case 'reference':
      return known(of, linkedIn(message)).filter((column) => written.includes(column))
    default:
      return []
  }
}

/** For such errors the server does not name the column. */
const isGeometry = (message: string): boolean =>
  /geometry object|GIS data|itude .* is out of range/i.test(message)

const known = ({ columns }: MysqlTable, names: readonly string[]): string[] =>
  names.filter((name) => columns.has(name))

/** Candidates for the column: for invalid JSON, MySQL says `… for column 'table.a'`. */
function namesIn(message: string): string[] {
  const parts = columnIn(message).split('.')
  return parts.map((_, i) => parts.slice(i).join('.'))
}

/** `Column 'a' cannot be null`, `Field 'a' doesn't have…`, `… for column 'a'`, `… column `d`.`t`.`a``. */
function columnIn(message: string): string {
  const quoted = /(?:column|Column|Field) '([^']*)'/.exec(message)?.[1]
  const qualified = /column (?:`(?:[^`]|``)*`\.){0,2}`((?:[^`]|``)*)`/.exec(message)?.[1]
  return quoted ?? qualified?.replaceAll('``', '`') ?? ''
}

/** `Duplicate entry '…' for key 'name'`; newer servers put the table's name before it. */
function keyIn(message: string): string {
  const name = /for key '(.*)'$/s.exec(message)?.[1] ?? ''
  return name.slice(name.lastIndexOf('.') + 1)
}

/** `Check constraint 'name' is violated`, ``CONSTRAINT `name` failed for …``; or `t.name` of a column. */
function constraintIn(message: string): string {
  const name =
    /constraint '(.*)' is violated/.exec(message)?.[1] ??
    /CONSTRAINT `((?:[^`]|``)*)` failed/.exec(message)?.[1] ??
    ''
  return name.slice(name.lastIndexOf('.') + 1).replaceAll('``', '`')
}

/** ``FOREIGN KEY (`a`, `b`) REFERENCES`` */
function linkedIn(message: string): string[] {
  const list = /FOREIGN KEY \((.*?)\) REFERENCES/s.exec(message)?.[1] ?? ''
  return [...list.matchAll(/`((?:[^`]|``)*)`/g)].map(([, name = '']) => name.replaceAll('``', '`'))
}
