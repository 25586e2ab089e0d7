import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../../test/tier.ts'
import { FILE_TYPES } from './file-types.ts'
import { KEY_LETTERS, keptKey, readKey } from './kept-key.ts'

const upload = { id: 'abcdefghijklmnopqrstuv', digest: 'q3_and-more', type: 'image/png' }
const nameOf = (name: string, type = upload.type) =>
  readKey(keptKey({ ...upload, name, type }))?.name

test.each([
  ['../../etc/passwd.png', 'etc-passwd.png'],
  ['..\\..\\boot.ini', 'boot.png'],
  ['/etc/passwd', 'etc-passwd.png'],
  ['C:\\Windows\\win.ini', 'C-Windows-win.png'],
  ['.htaccess', 'file.png'],
  ['..', 'file.png'],
  ['CON', 'CON.png'],
  ['a.php.png', 'a-php.png'],
  ['a\0.exe.png', 'a-exe.png'],
  ['a\r\nSet-Cookie: x.png', 'a-Set-Cookie-x.png'],
  ['$(rm -rf ~).png', 'rm-rf.png'],
  ['"><script>.png', 'script.png'],
  ['\u202Egnp.exe', 'gnp.png'],
  ['Größe (2).PNG', 'Größe-2.png'],
  ['写真.png', '写真.png'],
])('%j is called %s', (name, called) => expect(nameOf(name)).toBe(called))

test('whatever a file is called, its key is one that the server makes', () => {
  const letter = fc.constantFrom(...'./\\:\0 \n"%aÖ写𝒳\u202e\ud800')
  const name = fc.array(letter, { maxLength: 120 }).map((letters) => letters.join(''))
  fc.assert(
    fc.property(name, fc.constantFrom(...FILE_TYPES, 'application/octet-stream'), (some, type) => {
      const key = keptKey({ ...upload, name: some, type })
      expect(key).toMatch(/^kept\/q3\/abcdefghijklmnopqrstuv-[\p{L}\p{N}_-]+\.[a-z0-9]+$/u)
      expect([...key].length).toBeLessThanOrEqual(KEY_LETTERS)
      expect(Buffer.byteLength(key.split('/')[2] ?? '')).toBeLessThan(255)
      expect(readKey(key)).toMatchObject({ id: upload.id, type })
    }),
    { numRuns: runs(1000, 200) },
  )
})

test.each([
  'kept/ab/short-a.png',
  `kept/ab/${'x'.repeat(22)}-../a.png`,
  `kept/ab/../${'x'.repeat(22)}-a.png`,
  `pending/${'x'.repeat(22)}-a.png`,
  `/kept/ab/${'x'.repeat(22)}-a.png`,
  `kept/ab/${'x'.repeat(22)}-a.png\n`,
  `kept/ab/${'x'.repeat(22)}-a`,
])('%j is no key', (text) => expect(readKey(text)).toBeUndefined())
