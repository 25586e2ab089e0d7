/** Photographs of the demo's strikes: drawn here, and kept as files of the data folder. */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { keyList, keysIn } from '../src/table/files/key-list.ts'
import { DRAWINGS } from './drawings.ts'
import { pick } from './hash.ts'
import { drawPng } from './png.ts'

/** Strikes that have some: one in three of the newest. */
const STRIKES = `SELECT id FROM strikes WHERE id % 3 = 0
  ORDER BY incident_date DESC, id DESC LIMIT 60`

/** Most photographs of a strike. */
export const PHOTOGRAPHS = 5

/**
 * Adds the column to a demo that does not have it, and the files that are not there. No process may have the
 * demo open.
 */
export function addPhotographs(file: string, dataFolder: string): void {
  const db = new DatabaseSync(file)
  try {
    const columns = db.prepare('PRAGMA table_info(strikes)').all()
    if (!columns.some(({ name }) => name === 'photo')) addColumn(db)
    const pictures = new Map<string, Buffer>()
    const rows = db.prepare('SELECT photo FROM strikes WHERE photo IS NOT NULL').all()
    for (const key of rows.flatMap(({ photo }) => keysIn({ list: 'json' }, String(photo)))) {
      const path = join(dataFolder, 'files', key)
      const [, name = ''] = /-([a-z-]+)\.png$/.exec(key) ?? []
      const drawing = DRAWINGS.find(([called]) => name.endsWith(called))
      if (!drawing || existsSync(path)) continue
      const bytes = pictures.get(name) ?? drawPng(drawing[1])
      pictures.set(name, bytes)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, bytes, { mode: 0o600 })
    }
  } finally {
    db.close()
  }
}

function addColumn(db: DatabaseSync): void {
  db.exec('BEGIN; ALTER TABLE strikes ADD COLUMN photo TEXT')
  const set = db.prepare('UPDATE strikes SET photo = ? WHERE id = ?')
  for (const { id } of db.prepare(STRIKES).all()) {
    const first = Number(id) / 3
    const keys = Array.from({ length: 1 + (first % PHOTOGRAPHS) }, (_, at) =>
      keyOf(Number(id), pick(DRAWINGS, first + at)[0]),
    )
    set.run(keyList(keys, 'json'), Number(id))
  }
  db.exec('COMMIT')
}

/** As the server makes keys, but the same one in every build. */
function keyOf(id: number, name: string): string {
  const digest = createHash('sha256').update(`${id} ${name}`).digest('base64url')
  return `kept/${digest.slice(0, 2)}/${digest.slice(2, 24)}-${name}.png`
}
