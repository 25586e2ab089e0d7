/** The orchard that the roles are for: a SQLite file in the system's folder for temporary files. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** As `tablewire types` writes it. */
export type Database = {
  growers: { id: number; name: string; email: string; bank_account: string | null }
  harvests: {
    id: number
    fruit: string
    crates: number
    price: number
    notes: string | null
    grower_id: number
  }
}

/** Makes the file, and returns its path. */
export function makeOrchard(): string {
  const file = join(mkdtempSync(join(tmpdir(), 'tablewire-roles-')), 'orchard.sqlite')
  const database = new DatabaseSync(file)
  database.exec(`
    create table growers (
      id integer primary key,
      name text not null,
      email text not null unique,
      bank_account text
    );
    create table harvests (
      id integer primary key,
      fruit text not null,
      crates integer not null,
      price numeric not null,
      notes text,
      grower_id integer not null references growers
    );
    insert into growers (name, email, bank_account) values
      ('Ilse Brandt', 'ilse@example.org', 'DE02 1203 0000 0000 2020 51'),
      ('Piotr Lis', 'piotr@example.org', 'PL61 1090 1014 0000 0712 1981');
    insert into harvests (fruit, crates, price, grower_id) values
      ('Quince', 14, 21.5, 1), ('Apple', 310, 8, 2), ('Medlar', 6, 30, 1), ('Pear', 120, 9.5, 2);
  `)
  database.close()
  return file
}
