/** Makes a tiny SQLite file for the examples, in a folder that is deleted when the process ends. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The file of the shop, and a folder in which the admin may keep its own records. */
export function makeSampleShop(): { file: string; dataFolder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tablewire-example-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'shop.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    create table growers (id integer primary key, name text not null, village text);
    create table harvests (
      id integer primary key,
      fruit text not null,
      crates integer not null,
      picked_on text not null,
      grower_id integer not null references growers
    );
    insert into growers (name, village) values ('Ilse Brandt', 'Jork'), ('Piotr Lis', 'Grójec');
    insert into harvests (fruit, crates, picked_on, grower_id) values
      ('Quince', 14, '2026-10-08', 1), ('Apple', 310, '2026-09-21', 2),
      ('Medlar', 6, '2026-11-02', 1), ('Pear', 120, '2026-09-03', 2);
  `)
  database.close()
  return { file, dataFolder: join(folder, 'tablewire') }
}
