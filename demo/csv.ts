/** Reads comma-separated text with a header line into one record per line. */

/** Every line as a record keyed by the header. Quoted cells may hold commas, not line breaks. */
export function parseCsv(text: string): Record<string, string>[] {
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  const columns = cellsOf(header)
  return lines.map((line, index) => recordOf(columns, cellsOf(line), index + 2))
}

function recordOf(columns: string[], cells: string[], line: number): Record<string, string> {
  if (cells.length !== columns.length) {
    throw new Error(`Line ${line} has ${cells.length} cells, not ${columns.length}`)
  }
  return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']))
}

function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const cells = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)
  return Array.from(cells, ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
}
