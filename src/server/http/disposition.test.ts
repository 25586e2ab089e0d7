import { expect, test } from 'vitest'
import { disposition } from './disposition.ts'

test.each([
  ['engine.png', `filename="engine.png"; filename*=UTF-8''engine.png`],
  [
    'a";x=b\r\nSet-Cookie: y.png',
    `filename="a ;x=b Set-Cookie  y.png"; filename*=UTF-8''a%20%3Bx%3Db%20Set-Cookie%20%20y.png`,
  ],
  ['../..\\etc/pass', `filename=".. .. etc pass"; filename*=UTF-8''..%20..%20etc%20pass`],
  [
    "Größe(1)'*.pdf",
    `filename="Gr__e(1)' .pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%281%29%27%20.pdf`,
  ],
  ['gpj.\u202Eexe', `filename="gpj. exe"; filename*=UTF-8''gpj.%20exe`],
  ['half \uD800', `filename="half _"; filename*=UTF-8''half%20%EF%BF%BD`],
])('%j is told to browsers as it is, and nothing else', (name, told) => {
  expect(disposition('attachment', name)).toBe(`attachment; ${told}`)
})
