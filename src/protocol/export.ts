/** How rows are exported, as a person chooses it. */

/** Formats of the file. */
export const FILE_FORMATS = ['csv', 'xlsx', 'json'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

/** What stands for a related row: the stored key, its name or both. */
export const REFERENCES = ['keys', 'names', 'both'] as const

/** The columns that are shown, or all that the person may read. */
export const EXPORTED_COLUMNS = ['shown', 'all'] as const

export type ExportChoice = {
  format: FileFormat
  references: (typeof REFERENCES)[number]
  columns: (typeof EXPORTED_COLUMNS)[number]
}

/** What is exported until a person has chosen something else. */
export const FIRST_EXPORT: ExportChoice = { format: 'csv', references: 'keys', columns: 'shown' }

/** Rows of a sheet of XLSX, less the one of the head. */
export const SHEET_ROWS = 2 ** 20 - 1
