/** The tracks of columns, and where those begin that stay in sight. */

import { expect, test } from 'vitest'
import { columnTracks } from './column-tracks.ts'

const widths = {
  name: { least: 160, full: 160 },
  place: { least: 96, full: 128 },
  text: { least: 320, full: 960 },
}
const [name, place, text] = [{ name: 'name' }, { name: 'place' }, { name: 'text' }]

test('each has at least what it needs, and takes more up to its whole content', () => {
  expect(columnTracks([name, place, text], widths, 2.75)).toBe(
    '--columns: 2.75rem 10rem minmax(6rem,8rem) minmax(20rem,60rem)',
  )
  expect(columnTracks([name], widths, 0)).toBe('--columns: 10rem')
})

test('those that stay in sight begin where the ones before them end', () => {
  expect(columnTracks([name, { ...text, pinned: true }, place], widths, 2.75)).toBe(
    '--columns: 2.75rem 10rem 20rem minmax(6rem,8rem);--pin-1:12.75rem;--pin-2:32.75rem',
  )
})
