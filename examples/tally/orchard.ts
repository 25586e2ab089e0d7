/** The example's database: a file beside this one, made when it is first needed. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The path of the file. */
export function openOrchard(): string {
  const file = join(import.meta.dirname, 'orchard.sqlite')
  if (existsSync(file)) return file
  const database = new DatabaseSync(file)
  database.exec(`
    create table varieties (id integer primary key, name text not null, stars integer, sweetness integer);
    insert into varieties (name, stars) values ('Cox', 5), ('Boskoop', 4), ('Jonagold', 3);
  `)
  database.close()
  return file
}
