import { expect, test } from 'vitest'
import { withoutSecrets } from './without-secrets.ts'

test.each([
  [
    '[postgres://ana:hunter2@db.example.org/shop] is none',
    '[postgres://ana:…@db.example.org/shop] is none',
  ],
  ['mysql://ana:hun/t@er2@db/shop', 'mysql://ana:…@db/shop'],
  ['postgres://ana:hunter 2@db/shop is bad', 'postgres://ana:…@db/shop is bad'],
  ['redis://:hunter2@cache:6379', 'redis://:…@cache:6379'],
  ['postgres://ana:1234@db/shop', 'postgres://ana:…@db/shop'],
  [
    'postgres://db/shop?user=ana&password=hunter2&sslmode=require',
    'postgres://db/shop?user=ana&password=…&sslmode=require',
  ],
  ["const db = { password: 'hunter2', port: 1 }", "const db = { password: '…', port: 1 }"],
  ['{"apiKey": "hunter2"}', `{"apiKey": '…'}`],
  ['DB_PASSWORD=hunter2 node .', 'DB_PASSWORD=… node .'],
  ['postgres://ana:\u001B[31mhunter2\u001B[39m@db', 'postgres://ana:…@db'],
])('of %s no secret is left', (text, masked) => {
  expect(withoutSecrets(text)).toBe(masked)
  expect(withoutSecrets(text)).not.toMatch(/hunter2|t@er2|1234/)
})

test.each([
  'Open: http://127.0.0.1:4600',
  'http://127.0.0.1:4600 is the address of ana@example.org',
  'The column [password] is hidden: it looks like a secret.',
  'at file:///srv/app/tablewire.config.ts:3:9',
  'https://admin.example.org/tables/notes',
])('%s stays as it is', (text) => expect(withoutSecrets(text)).toBe(text))
