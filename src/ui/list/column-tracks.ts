/** The columns of the grid that each row of the table is, as properties of the table that its rows inherit. */

import type { ColumnWidths } from './column-widths.ts'

/** For pages from 1920 px on, from 1440 px on, and below; `table.css` chooses. */
const NAMES = ['--wide', '--usual', '--narrow'] as const

const rem = (px: number) => `${px / 16}rem`

/**
 * Tracks for `columns`, in their order, after what stands before them. Each column takes of the room that is
 * left until all of its content is shown, so nothing is cut beside empty room.
 */
export function columnTracks(
  columns: readonly { readonly name: string }[],
  widths: ColumnWidths,
  before = '',
): { [property: string]: string } {
  const tracks = NAMES.map((name, page) => {
    const own = columns.map((column) => {
      const { least, full } = widths[column.name] ?? NONE
      const from = least[page] ?? full
      return from >= full ? rem(from) : `minmax(${rem(from)},${rem(full)})`
    })
    return [name, [before, ...own].join(' ')] as const
  })
  return Object.fromEntries(tracks)
}

const NONE = { least: [], full: 0 }
