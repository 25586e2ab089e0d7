/** The types of MySQL and MariaDB. */

import { isMariaDb } from '../mysql-server.ts'
import { leftColumns, refused, TEXTS, type Zoo } from './zoo.ts'

export const mysqlZoo: Zoo = {
  setUp: [],
  read: (name) => `cast(${name} as char)`,
  left: {
    columns: leftColumns({
      ...{ day: 'date', moment: 'datetime(6)', zoned: 'timestamp(6) null', single: 'float' },
      ...{ big: 'bigint unsigned', text: 'text', bits: 'bit(9)', bytes: 'varbinary(9)' },
      ...{ words: "set('b','a')", price: 'decimal(20, 4)', time: 'time(6)' },
    }),
    values: [
      ...["'2024-02-00'", "'2024-02-29 12:00:00.000001'", "'2024-02-29 12:00:00.1'", '0.1'],
      ...['18446744073709551615', "' a\\r\\nb '", "b'101010101'", "x'00ff'", "'a,b'"],
      ...["'1.5'", "'-838:59:59'"],
    ],
  },
  columns: {
    v_tinyint: { type: 'tinyint', edges: ['-128', '127', null, refused('128')] },
    v_bigint: {
      type: 'bigint',
      edges: ['-9223372036854775808', '9007199254740993', refused('9223372036854775808')],
    },
    v_unsigned: {
      type: 'bigint unsigned',
      edges: [
        '0',
        '9223372036854775808',
        '18446744073709551615',
        refused('18446744073709551616'),
        refused('-1'),
      ],
    },
    v_decimal: {
      type: 'decimal(20, 4)',
      edges: [
        '-1.5000',
        '9999999999999999.9999',
        ['5', '5.0000'],
        refused('1.00005'),
        refused('12345678901234567'),
      ],
    },
    v_float: {
      type: 'float',
      edges: ['0.1', '-3.4e38', refused('16777217'), refused('1e39'), refused('NaN')],
    },
    v_double: {
      type: 'double',
      edges: ['0.1', '-1e300', '5e-320', refused('0.1234567890123456789'), refused('Infinity')],
    },
    v_boolean: { type: 'boolean', edges: [['true', '1'], ['false', '0'], null] },
    v_bit: {
      type: 'bit(9)',
      read: (name) => `cast(${name} + 0 as char)`,
      edges: ['0', '341', refused('512')],
    },
    v_year: { type: 'year', edges: ['1901', '2155', refused('5'), refused('1900')] },
    v_date: {
      type: 'date',
      edges: [
        '2024-02-29',
        '9999-12-31',
        refused('02/03/2024'),
        refused('2023-02-29'),
        refused('0000-00-00'),
      ],
    },
    v_moment: {
      type: 'datetime',
      edges: [
        '2024-02-29 12:00:00',
        ['2024-02-29 12:00', '2024-02-29 12:00:00'],
        refused('2024-02-29 12:00:00.5'),
        refused('2024-02-29 12:00:00+02'),
      ],
    },
    v_micro: {
      type: 'datetime(6)',
      edges: ['2024-02-29 12:00:00.000001', refused('2024-02-29 12:00:00.0000001')],
    },
    v_zoned: {
      type: 'timestamp(6) null',
      edges: [
        ['2024-02-29 12:00:00.000001+00', '2024-02-29 12:00:00.000001'],
        ['2024-02-29 12:00:00.5+02:00', '2024-02-29 10:00:00.500000'],
        refused('1890-01-01 00:00:00'),
      ],
    },
    v_time: {
      type: 'time(3)',
      edges: [
        '-838:59:59.000',
        '00:00:00.250',
        '838:59:59.000',
        ['07:35', '07:35:00.000'],
        refused('839:00:00'),
        refused('07:35:00.0001'),
      ],
    },
    v_text: { type: 'text character set utf8mb4', edges: TEXTS },
    v_varchar: {
      type: 'varchar(9) character set utf8mb4',
      edges: ['', 'a ', '123456789', '😀'.repeat(9), refused('1234567890'), refused('123456789 ')],
    },
    v_latin: { type: 'varchar(9) character set latin1', edges: ['ä', ' ', refused('中')] },
    v_char: { type: 'char(3)', edges: ['', 'a', 'abc', refused('abcd'), refused('a ')] },
    v_binary: { type: 'binary(3)', edges: [] },
    v_enum: { type: "enum('b','a','')", edges: ['b', 'a', '', null, refused('A'), refused('c')] },
    v_set: {
      type: "set('b','a','c d')",
      edges: ['', 'a', 'b,c d', ['a,b', 'b,a'], refused('x'), refused('a, b')],
    },
    v_json: {
      type: 'json',
      edges: [
        isMariaDb
          ? '{"b":1,\r\n  "a" : 1.50}'
          : ['{"b":1,\r\n  "a" : 1.50}', '{"a": 1.50, "b": 1}'],
        isMariaDb ? '{\n  "b" : 1.50 }' : ['{\n  "b" : 1.50 }', '{"b": 1.50}'],
        refused('{'),
      ],
    },
    v_point: {
      type: 'point',
      read: (name) => `st_astext(${name})`,
      edges: ['POINT(1 2.5)', refused('POINT(1)')],
    },
    ...(isMariaDb && {
      v_inet6: { type: 'inet6', edges: ['::1', refused('::g')] },
      v_uuid: { type: 'uuid', edges: ['ffffffff-ffff-1fff-9fff-ffffffffffff', refused('x')] },
    }),
    v_made: { type: 'int generated always as (1 + 1) stored', edges: [], isFixed: true },
  },
}
