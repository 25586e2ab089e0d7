/** The types of SQLite, which holds what it is given: texts are quoted, so that `5` is a number. */

import { type Edge, leftColumns, refused, TEXTS, type Zoo } from './zoo.ts'

const quoted = (edges: readonly Edge[]): Edge[] =>
  edges.map((edge) => (typeof edge === 'string' ? [edge, `'${edge.replaceAll("'", "''")}'`] : edge))

const NUMBERS: readonly Edge[] = [
  ...['-9223372036854775808', '9007199254740993', '9223372036854775807', '0', null],
  ...[['', null] as const, refused('9223372036854775808'), refused('1.5'), refused('x')],
]

export const sqliteZoo: Zoo = {
  setUp: [],
  read: (name) => `nullif(quote(${name}), 'NULL')`,
  left: {
    columns: leftColumns({
      ...{ moment: 'datetime', decimal: 'decimal(10, 2)', typeless: '', other: '', bytes: 'blob' },
      ...{ text: 'text', json: 'json', number: 'text', flag: 'boolean', real: 'real' },
    }),
    values: [
      ...["'2024-02-29T12:00:00.1234567Z'", "'1.500'", "'0.10'", '5', "x'00ff'"],
      ...["' a' || char(13, 10) || 'b '", `' {"b":1,  "a":1.0}'`, "'007'", "'yes'", '1e300'],
    ],
  },
  columns: {
    v_integer: { type: 'integer', edges: NUMBERS },
    v_bigint: { type: 'unsigned big int', edges: NUMBERS },
    v_real: {
      type: 'real',
      edges: [
        '0.1',
        '1.0e+300',
        ['-0', '0.0'],
        ['5', '5.0'],
        refused('0.1234567890123456789'),
        refused('NaN'),
      ],
    },
    v_decimal: {
      type: 'decimal(10, 2)',
      edges: [
        ['0.10', '0.1'],
        '-12345678.9',
        '5',
        refused('12345678901234567890.5'),
        refused('0.1234567890123456789'),
      ],
    },
    v_numeric: {
      type: 'numeric',
      edges: ['0.1', ['1.50', '1.5'], refused('12345678901234567890')],
    },
    v_boolean: { type: 'boolean', edges: [['true', '1'], ['false', '0'], null, refused('maybe')] },
    v_date: {
      type: 'date',
      edges: quoted(['2024-02-29', null, refused('02/03/2024'), refused('2023-02-29')]),
    },
    v_moment: {
      type: 'datetime',
      edges: quoted([
        ...[
          '2024-02-29 12:00:00.123456789',
          '2024-02-29T12:00',
          '2024-02-29 12:00:00+02:00',
          '2024-02-29',
        ],
        refused('29 Feb 2024'),
      ]),
    },
    v_time: { type: 'time', edges: quoted(['07:35', '23:59:59.999', refused('7.35')]) },
    v_text: { type: 'text', edges: quoted(TEXTS) },
    v_varchar: { type: 'varchar(3)', edges: quoted(['', 'a ', 'abc', 'abc ']) },
    v_typeless: { type: '', edges: quoted(['', ' a ', '5', '1.50', '007']) },
    v_json: {
      type: 'json',
      edges: quoted([
        '{"b":1,\r\n  "a" : 1.50, "a": 1e400}',
        ' [] ',
        '{\n  "b" : 1.50 }',
        refused('{'),
      ]),
    },
    v_blob: { type: 'blob', edges: [] },
    v_state: {
      type: "text check (v_state in ('new', 'so, so'))",
      edges: quoted(['new', 'so, so', null, refused('New'), refused('')]),
    },
    v_made: { type: 'integer generated always as (1 + 1)', edges: [], isFixed: true },
  },
}
