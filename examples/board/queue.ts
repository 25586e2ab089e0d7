/** The example's database: the demo's queue of inspections, in a file beside this one. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** From the top of the queue. */
const QUEUE = [
  ['JFK', 'Laughing gull colony, runway 4L end', 'urgent', 'in progress', '2002-08-05'],
  ['IAD', 'Deer inside the fence, cargo gate 7', 'urgent', 'in progress', '2002-08-06'],
  ['MEM', 'Canada geese on the retention pond', 'urgent', 'scheduled', '2002-08-09'],
  ['CHS', 'Pigeon roost in the C-17 hangar', 'high', 'scheduled', '2002-08-12'],
  ['EWR', 'Standing water east of taxiway P', 'high', 'scheduled', '2002-08-13'],
  ['DFW', 'Grass height, runways 17C and 17R', 'high', 'waiting', '2002-08-30'],
  ['ORD', 'Landfill cover, two miles west', 'high', 'blocked', null],
  ['LIH', 'Golden-plovers back on the apron grass', 'normal', 'waiting', '2002-08-21'],
  ['STL', 'Mallards in the infield ditch', 'normal', 'waiting', '2002-09-16'],
  ['BNA', 'Burnt-out lights on the bird radar mast', 'normal', 'blocked', null],
  ['PDX', 'Heron rookery, yearly count', 'low', 'waiting', '2002-10-07'],
  ['AUS', 'Bat emergence, evening watch', 'low', 'waiting', '2002-09-24'],
] as const

/** The path of the file, which is made when it is first needed. */
export function openQueue(): string {
  const file = join(import.meta.dirname, 'queue.sqlite')
  if (!existsSync(file)) makeQueue(file)
  return file
}

export function makeQueue(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`
    create table inspections (
      id integer primary key,
      position integer not null,
      airport text not null,
      title text not null,
      priority text not null,
      state text not null,
      due_on text
    ) strict;
    create index inspections_position on inspections (position, id);
  `)
  const insert = database.prepare(
    'insert into inspections (position, airport, title, priority, state, due_on) values (?, ?, ?, ?, ?, ?)',
  )
  for (const [at, row] of QUEUE.entries()) insert.run(at + 1, ...row)
  database.close()
}
