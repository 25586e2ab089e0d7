/** The types of PostgreSQL. */

import { leftColumns, refused, TEXTS, type Zoo } from './zoo.ts'

export const postgresZoo: Zoo = {
  setUp: [
    'create extension if not exists citext',
    'create extension if not exists hstore',
    "create type mood as enum ('sad', 'ok', 'so, so')",
    'create type pair as (a int, b text)',
    'create domain euro as numeric(12, 2)',
    "create domain code as text check (value ~ '^[A-Z]+$')",
  ],
  read: (name) => `${name}::text`,
  left: {
    columns: leftColumns({
      ...{ moment: 'timestamptz', numeric: 'numeric', single: 'float4', zero: 'float8' },
      ...{ padded: 'char(5)', text: 'text', json: 'json', bytes: 'bytea', words: 'text[]' },
      ...{ span: 'interval', time: 'timetz', secret: 'text' },
    }),
    values: [
      ...["'2024-02-29 12:00:00.000001+05:30'", "'1.500'", "'0.1'", "'-0'", "'a '"],
      ...["E' a\\r\\nb '", `'{"b":1,\n "a":1.0}'`, "'\\x00ff'", `'{"NULL",NULL," x "}'`],
      ...["'1 year -3 days 00:00:00.000001'", "'24:00:00-15:59'", "'sk_live_zyzzyva'"],
    ],
  },
  columns: {
    v_int2: {
      type: 'int2',
      edges: ['-32768', '0', '32767', null, refused('32768'), refused('1.5')],
    },
    v_int4: {
      type: 'int4',
      edges: ['-2147483648', '2147483647', ['', null], refused('2147483648')],
    },
    v_int8: {
      type: 'int8',
      edges: [
        '-9223372036854775808',
        '9007199254740993',
        '9223372036854775807',
        refused('9223372036854775808'),
        refused('abc'),
      ],
    },
    v_numeric: {
      type: 'numeric',
      edges: [
        '1.0',
        '1.00',
        '0.00000000000000000001',
        '123456789012345678901234567890.5',
        '-0.10',
        null,
        refused('1,2,3'),
      ],
    },
    v_price: {
      type: 'numeric(10, 2)',
      edges: ['0.10', '-12345678.90', ['5', '5.00'], refused('1.005'), refused('123456789')],
    },
    v_float4: {
      type: 'float4',
      edges: [
        '0.1',
        ['3.4028235e38', '3.4028235e+38'],
        'NaN',
        '-Infinity',
        '-0',
        refused('16777217'),
        refused('1e39'),
      ],
    },
    v_float8: {
      type: 'float8',
      edges: [
        '0.1',
        'NaN',
        'Infinity',
        '-0',
        ['5e-324', '5e-324'],
        ['1e300', '1e+300'],
        refused('0.1234567890123456789'),
      ],
    },
    v_money: {
      type: 'money',
      edges: [
        ['1.5', '$1.50'],
        ['-0.01', '-$0.01'],
        ['92233720368547758.07', '$92,233,720,368,547,758.07'],
        refused('1.005'),
      ],
    },
    v_oid: { type: 'oid', edges: ['0', '4294967295', refused('4294967296')] },
    v_bool: { type: 'bool', edges: ['true', 'false', null, refused('maybe')] },
    v_date: {
      type: 'date',
      edges: [
        '2024-02-29',
        'infinity',
        '0044-03-15 BC',
        '5874897-12-31',
        refused('02/03/2024'),
        refused('2023-02-29'),
      ],
    },
    v_moment: {
      type: 'timestamp',
      edges: [
        '2024-02-29 12:00:00.000001',
        ['2024-02-29 12:00', '2024-02-29 12:00:00'],
        '-infinity',
        '0044-03-15 12:00:00 BC',
        refused('2024-02-29 12:00:00.0000001'),
        refused('2024-02-29 12:00:00+02'),
      ],
    },
    v_second: {
      type: 'timestamp(0)',
      edges: ['2024-02-29 12:00:00', refused('2024-02-29 12:00:00.5')],
    },
    v_zoned: {
      type: 'timestamptz',
      edges: [
        '2024-02-29 12:00:00.000001+00',
        ['2024-02-29 12:00:00+02', '2024-02-29 10:00:00+00'],
        '1890-01-01 00:00:00+00',
        'infinity',
        refused('2024-02-29 12:00:00.1234567+00'),
      ],
    },
    v_time: {
      type: 'time',
      edges: [
        '00:00:00',
        '24:00:00',
        '09:30:00.25',
        ['07:35', '07:35:00'],
        refused('25:00'),
        refused('10:00+02'),
        refused('10:00:00.1234567'),
      ],
    },
    v_timetz: { type: 'timetz', edges: ['00:00:00+15:59', '09:30:00.25+01:30', '24:00:00-15:59'] },
    v_interval: {
      type: 'interval',
      edges: [
        '-1 years',
        '00:00:00.000001',
        '1 year 2 mons 3 days 04:05:06',
        ['P1M', '1 mon'],
        refused('0.0000001 seconds'),
        refused('soon'),
      ],
    },
    v_text: { type: 'text', edges: TEXTS },
    v_varchar: {
      type: 'varchar(9)',
      edges: ['', 'a ', '%', '123456789', refused('1234567890'), refused('123456789 ')],
    },
    v_char: { type: 'char(3)', edges: ['a', 'abc', ['b ', 'b'], ' c', refused('abcd')] },
    v_onechar: { type: '"char"', edges: ['a', refused('ab')] },
    v_name: { type: 'name', edges: ['a', ' b ', refused('n'.repeat(64))] },
    v_citext: { type: 'citext', edges: ['a', 'A', '', ' b '] },
    v_uuid: {
      type: 'uuid',
      edges: [
        '00000000-0000-0000-0000-000000000000',
        ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
        refused('x'),
      ],
    },
    v_bytea: { type: 'bytea', edges: [] },
    v_bit: { type: 'bit(3)', edges: ['000', '101', refused('10'), refused('1010')] },
    v_varbit: { type: 'varbit(4)', edges: ['', '0', '101', refused('10101'), refused('2')] },
    v_inet: {
      type: 'inet',
      // A cast to text adds the length of the mask.
      read: (name) => `nullif(format('%s', ${name}), '')`,
      edges: ['10.0.0.1', '10.0.0.1/8', '::1', refused('10.0.0.256')],
    },
    v_cidr: { type: 'cidr', edges: ['10.0.0.0/8', '::/0', refused('10.0.0.1/8')] },
    v_macaddr: { type: 'macaddr', edges: ['08:00:2b:01:02:03', refused('08:00')] },
    v_mood: { type: 'mood', edges: ['sad', 'so, so', null, refused('glad')] },
    v_ints: {
      type: 'int[]',
      edges: [
        '{}',
        '{1}',
        '{1,NULL}',
        '{{1,2},{3,4}}',
        '[0:1]={1,2}',
        refused('{1,x}'),
        refused('1,2'),
      ],
    },
    v_texts: {
      type: 'text[]',
      edges: ['{}', '{""}', '{NULL}', '{"NULL"}', '{"a,b","\\""," c "}', '{"a\r\nb"}'],
    },
    v_moods: { type: 'mood[]', edges: ['{sad,"so, so"}', refused('{glad}')] },
    v_range: {
      type: 'int4range',
      edges: ['empty', '[1,2)', '(,)', ['[1,2]', '[1,3)'], refused('[2,1]')],
    },
    v_during: { type: 'tstzrange', edges: ['["2024-01-01 00:00:00.000001+00",infinity)', 'empty'] },
    v_jsonb: {
      type: 'jsonb',
      edges: [
        'null',
        '"a"',
        ['{"b":1,  "a":1.50}', '{"a": 1.50, "b": 1}'],
        null,
        refused('{a:1}'),
        ['', null],
      ],
    },
    v_json: {
      type: 'json',
      edges: ['{"b":1,\r\n  "a" : 1.50, "a": 1e400}', ' [] ', '{\n  "b" : 1.50 }', refused('{')],
    },
    v_xml: { type: 'xml', edges: ['<a>\n <b c="d"/> </a>', refused('<a>')] },
    v_hstore: {
      type: 'hstore',
      edges: [['a=>1, b=>NULL', '"a"=>"1", "b"=>NULL'], '"a"=>" x "', ['', ''], refused('a=')],
    },
    v_search: { type: 'tsvector', edges: ["'a' 'b':2A", refused("'a")] },
    v_point: { type: 'point', edges: ['(1,2.5)', refused('(1)')] },
    v_pair: { type: 'pair', edges: ['(1,a)', '(,"")', '(1," a, b ")', refused('(1)')] },
    v_euro: { type: 'euro', edges: ['1.50', refused('1.005'), refused('12345678901')] },
    v_code: { type: 'code', edges: ['ABC', refused('abc')] },
    v_path: { type: 'jsonpath', edges: [['$.a', '$."a"'], refused('$$$$')] },
    v_lsn: { type: 'pg_lsn', edges: ['0/0', 'FFFFFFFF/FFFFFFFF'] },
    v_made: { type: 'int generated always as (1 + 1) stored', edges: [], isFixed: true },
  },
}
