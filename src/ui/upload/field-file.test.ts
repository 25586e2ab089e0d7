import { expect, test } from 'vitest'
import { mostFiles, takesDragged, takesPictures, typesText, unfit } from './field-file.ts'

test('spec §9: most files are 1,000,000 when several are taken without a limit, otherwise 1', () => {
  expect(mostFiles({ multiple: true })).toBe(1_000_000)
  expect(mostFiles({ multiple: true, maxFiles: 4 })).toBe(4)
  expect(mostFiles({ multiple: false, maxFiles: 4 })).toBe(1)
})

test('a file is judged by its type, by its ending where endings are named, and by its size', () => {
  const file = (name: string, type: string, size = 1) =>
    new File(['x'.repeat(size)], name, { type })
  const why = (accept: string[] | undefined, one: File, maxBytes?: number) =>
    unfit({ accept, maxBytes, multiple: false }, one)
  expect(why(['image/png'], file('a.png', 'image/png'))).toBe(null)
  expect(why(['image/*'], file('a.png', 'image/png'))).toBe(null)
  expect(why(['image/*'], file('a.txt', 'text/plain'))).toBe('otherType')
  expect(why(['.png', '.jpg'], file('A.JPG', ''))).toBe(null)
  expect(why(['.png'], file('a.png.txt', 'image/png'))).toBe('otherType')
  // The browser knows no type of it, so the server judges.
  expect(why(['image/heic'], file('a.heic', ''))).toBe(null)
  expect(why(undefined, file('a.txt', 'text/plain', 11), 10)).toBe('tooLarge')
  expect(why(undefined, file('a.txt', 'text/plain', 10), 10)).toBe(null)
})

test('types are told in a few words', () => {
  const text = (...accept: string[]) => typesText({ accept, multiple: false }, 'Images')
  expect(text('image/*', 'image/png', 'text/plain', 'application/zip')).toBe(
    'Images, PNG, TXT, ZIP',
  )
  expect(text('image/png', '.png')).toBe('PNG')
  expect(text('.pdf', '.txt')).toBe('PDF, TXT')
})

test('what is dragged is known by its types alone, as far as the browser tells them', () => {
  const takes = (accept: string[] | undefined, ...types: string[]) =>
    takesDragged({ accept, multiple: false }, types)
  expect(takes(['image/png', '.png'], 'image/png')).toBe(true)
  expect(takes(['image/*', '.png'], 'application/pdf')).toBe(false)
  // One of them is taken.
  expect(takes(['image/*'], 'application/pdf', 'image/gif')).toBe(true)
  expect([takes(['image/*'], ''), takes(['image/*']), takes(undefined, 'x/y')]).toEqual([
    true,
    true,
    true,
  ])
  // Its name is not known before it is let go of.
  expect(takes(['.png'], 'application/pdf')).toBe(true)
})

test('a camera is offered where it makes what is taken', () => {
  const takes = (accept?: string[]) => takesPictures({ accept, multiple: false })
  expect([takes(['image/jpeg']), takes(['image/*']), takes(['.png', '.jpg'])]).toEqual([
    true,
    true,
    true,
  ])
  expect([takes(['image/png']), takes(['.pdf']), takes()]).toEqual([false, false, false])
})
