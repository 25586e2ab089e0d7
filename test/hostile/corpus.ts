/** More than 3,000 texts that databases, drivers and people have taken for something else. */

import { INJECTIONS } from './injections.ts'

/** What other engines' tongues add. */
const TONGUES = [
  "'; select pg_sleep(9) --",
  "' and pg_sleep(9) is null --",
  "'; copy t from program 'id' --",
  "' || pg_read_file('/etc/passwd') || '",
  '$$; drop table t; $$',
  '$tag$ or 1=1 $tag$',
  "E'\\'' or 1=1 --",
  "U&'\\0027'",
  "'::text; --",
  "'::regclass",
  '$1',
  '$2::int',
  ':name',
  '@variable',
  '@@version',
  '{fn now()}',
  '# comment',
  '-- comment',
  '/* open',
  '*/ close',
  "' into outfile '/tmp/x' --",
  "' and extractvalue(1, concat(0x7e, version())) --",
  "' and benchmark(100000000, sha1(1)) --",
  "' procedure analyse() --",
  "\\' or 1=1 #",
  '\xbf\x27 or 1=1',
  '0x27206f7220313d31',
  "x'41'",
  "b'1'",
  "N'text'",
  '`; drop table t; `',
  '${7*7}',
  '{{7*7}}',
  '%s%n',
  '?',
  '??',
]

/** What looks like a number, a date or a truth value, and is not quite. */
const ALMOST = [
  ...['0', '-0', '+1', ' 1', '1 ', '1.', '.1', '1e3', '1e999', '-1e999', '0x10', '0b1', '0o7'],
  ...['1_000', '1,000', '１２', '٣', '½', 'Ⅷ', '∞', 'NaN', 'nan', 'Infinity', '-Infinity', 'inf'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775808', '1'.repeat(400)],
  ...['2147483648', '-2147483649', '32768', '0.1', '1e-400', '00', '007', '1/0', '1;2', '1 2'],
  ...[
    'true',
    'TRUE',
    't',
    'yes',
    'on',
    'false',
    'f',
    'no',
    'off',
    'null',
    'NULL',
    'nil',
    'undefined',
  ],
  ...[
    'now',
    'now()',
    'today',
    'tomorrow',
    'yesterday',
    'epoch',
    'infinity',
    '-infinity',
    'allballs',
  ],
  ...['2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '2024-01-00', '0000-00-00'],
  ...['0000-01-01', '-0001-01-01', '10000-01-01', '99999-12-31', '294277-01-01', '4714-01-01 BC'],
  ...['2024-1-1', '24-01-01', '01/02/2024', '2024/01/02', '20240102', '2024-W01-1', '2024-001'],
  ...['2024-01-01T25:00', '2024-01-01 24:00:00', '2024-01-01 23:59:60', '2024-01-01 23:59:61'],
  ...['2024-01-01 00:00:00+25', '2024-01-01 00:00:00 Mars/Olympus', '2024-01-01 00:00:00.1234567'],
  ...['2024-03-31 02:30:00 Europe/Berlin', '24:00:00', '25:00', '-838:59:59', '838:59:60', '12:60'],
  ...['{}', '[]', '[1', '{"a":}', '"', '{1,2}', '[1,5)', 'empty', '(1,2)', '()', '{NULL}'],
  ...[
    '00000000-0000-0000-0000-000000000000',
    '{00000000-0000-0000-0000-000000000000}',
    'g'.repeat(36),
  ],
  ...['127.0.0.1/33', '::1', '1.2.3', '08:00:2b:01:02:03', '\\x', '\\xzz', '\\x0', '101', '2'],
]

/** What is invisible, turns the direction, or is no character at all. */
const UNSEEN = [
  ...['\0', 'a\0b', '\x01', '\x1a', '\x1b[31m', '\x7f', '\x85', '\u00a0', '\u00ad', '\u200b'],
  ...['\u200d', '\u202e', '\u2066', '\ufeff', '\ufffd', '\ufffe', '\ud800', '\udc00', 'a\ud800'],
  ...['\u2028', '\u2029', '\t', '\n', '\r\n', '\v', '', ' ', '  ', 'ʼ', '＇', '՚', '‘', '’', '″'],
  ...['ﬀ', 'İ', 'ı', 'ſ', 'K', 'ẞ', 'ß', 'Å', 'Å', 'é', 'é', '👨‍👩‍👧', '🏳️‍🌈', 'مرحبا', 'שלום'],
]

/** How a text is dressed on its way. */
const DRESSES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `1${text}`,
  (text) => `${text}\0`,
  (text) => `2024-01-01${text}`,
  (text) => `%${text}_`,
  (text) => encodeURIComponent(text.toWellFormed()),
  (text) => text.replaceAll("'", '’').replaceAll(' ', '\u00a0'),
  (text) => `${text}${'😀'.repeat(50)}`,
]

/** Each text once. */
export const CORPUS: readonly string[] = [
  ...new Set(
    [...INJECTIONS, ...TONGUES, ...ALMOST, ...UNSEEN].flatMap((text) =>
      DRESSES.map((dress) => dress(text)),
    ),
  ),
]
