/** Bytes of a row in its form, on every engine: replaced by a file, cleared, told apart, and taken back. */

import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { testComponent } from '../../src/server/component/test-component.ts'
import { runUndo } from '../../src/table/history/undo.ts'
import { FIELD_BYTES_MAX } from '../../src/table/record/form/bytes-field.ts'
import { createFormComponent } from '../../src/table/record/form/component.ts'
import type { RowChange } from '../../src/table/source/write-unit.ts'
import { admin } from '../table-of.ts'
import { describeMetadata, type MetadataPlace } from './metadata-places.ts'
import { openChanges } from './opened-changes.ts'

const BYTES = { sqlite: 'blob', postgres: 'bytea', mysql: 'longblob' } as const

const digestOf = (bytes: Uint8Array) =>
  `${bytes.byteLength}:${createHash('sha256').update(bytes).digest('base64url')}`

async function open(place: MetadataPlace) {
  const bytes = BYTES[place.engine]
  await place.run('drop table if exists scans')
  await place.run(
    `create table scans (id integer primary key, name varchar(20), scan ${bytes}, seal ${bytes} not null)`,
  )
  onTestFinished(async () => void (await place.run('drop table scans')))
  const { source, ledger, door, catalog } = await openChanges(place, { isBeside: true })
  const services = {
    ...{ source, ledger, door, catalog: () => catalog },
    href: (table: string) => `/tables/${table}`,
  }
  const { access } = catalog.open(admin, 'scans')
  const write = (row: RowChange) => source.write({ parts: [{ access, rows: [row] }] })
  await write({ insert: { id: 1, name: 'a', scan: null, seal: Buffer.from([0, 255]) } })
  const reader = { locale: 'en-US', language: 'en', timeZone: 'UTC' }
  const stored = async () =>
    (await source.row(access, [1], { columns: ['scan', 'seal'] }))?.values.map((value) =>
      value instanceof Uint8Array ? digestOf(value) : value,
    )
  async function openForm() {
    const form = createFormComponent({ ...services, isLive: false })
    const tester = await testComponent(form, {
      ...{ actor: admin, params: { table: 'scans', key: '1', copyOf: null, preset: {} } },
    })
    const seen = Object.fromEntries(tester.view.fields.map(({ name, text }) => [name, text]))
    return {
      field: (name: string) => tester.view.fields.find((one) => one.name === name),
      upload: async (column: string, file: Uint8Array) => {
        await tester.upload(`files.${column}`, { name: 'any.bin', bytes: file })
        return tester.data.files[column]?.[0]?.path ?? ''
      },
      save: (changed: { [column: string]: string | null }) => tester.call.save(changed, seen, null),
    }
  }
  return {
    ...{ openForm, stored, place },
    undo: (id: string) => runUndo({ ...services, historyHref: '/history' }, admin, { id, reader }),
    write: (scan: Uint8Array) => write({ update: [1], set: { scan } }),
  }
}

const entryOf = (saved: unknown): string => {
  if (typeof saved !== 'object' || !saved || !('entry' in saved)) throw new Error('Not saved.')
  return String(saved.entry)
}

describeMetadata('bytes of a row', (place) => {
  test('are replaced by a file of up to 4 MiB, cleared to NULL, and taken back', async () => {
    const { openForm, stored, undo } = await open(place())
    const [first, second] = [7, 8].map((fill) => Buffer.alloc(FIELD_BYTES_MAX, fill))
    const seal = digestOf(Buffer.from([0, 255]))
    const begun = await openForm()
    expect(begun.field('scan')).toMatchObject({
      ...{ text: null, nullable: true, control: { is: 'file', maxBytes: FIELD_BYTES_MAX } },
    })
    expect(begun.field('seal')).toMatchObject({
      ...{ text: seal, nullable: false, required: true },
      control: {
        stored: [{ name: 'Seal', size: 2, href: '/tables/scans/records/1/files/seal' }],
      },
    })
    await begun.save({ scan: await begun.upload('scan', first!) })
    expect(await stored()).toEqual([digestOf(first!), seal])

    const again = await openForm()
    const replaced = await again.save({ scan: await again.upload('scan', second!) })
    expect(await stored()).toEqual([digestOf(second!), seal])
    await undo(entryOf(replaced))
    expect(await stored()).toEqual([digestOf(first!), seal])
    const emptied = await (await openForm()).save({ scan: null })
    expect(await stored()).toEqual([null, seal])
    await undo(entryOf(emptied))
    expect(await stored()).toEqual([digestOf(first!), seal])

    const last = await openForm()
    expect(await last.save({ seal: null })).toMatchObject({
      ...{ status: 'refused', errors: { seal: ['Seal is required.'] } },
    })
    // No bytes are bytes, too.
    await last.save({ seal: await last.upload('seal', Buffer.alloc(0)) })
    expect(await stored()).toEqual([digestOf(first!), digestOf(Buffer.alloc(0))])
  })

  test('of two columns are replaced at once, or it is said which limit of the database stands against it', async () => {
    const { openForm, stored } = await open(place())
    const both = [1, 2].map((fill) => Buffer.alloc(FIELD_BYTES_MAX, fill))
    const begun = await openForm()
    const [scan, seal] = [
      await begun.upload('scan', both[0]!),
      await begun.upload('seal', both[1]!),
    ]
    await begun.save({ scan, seal })
    const before = both.map(digestOf)
    expect(await stored()).toEqual(before)
    const again = await openForm()
    const other = Buffer.alloc(FIELD_BYTES_MAX, 3)
    const [third, fourth] = [await again.upload('scan', other), await again.upload('seal', other)]
    const saved = await again.save({ scan: third, seal: fourth })
    if (place().engine !== 'mysql') {
      expect(saved).toMatchObject({ status: 'saved' })
      return
    }
    expect(saved).toMatchObject({
      status: 'refused',
      errors: { '': [expect.stringMatching(/16 MiB\..* max_allowed_packet/)] },
    })
    expect(await stored()).toEqual(before)
    // One after the other they are.
    await again.save({ scan: third })
    expect(await stored()).toEqual([digestOf(other), before[1]])
  })

  test('of two people, one is told of the other’s, by how many they are', async () => {
    const { openForm, stored, write } = await open(place())
    const form = await openForm()
    const theirs = Buffer.from('theirs')
    await write(theirs)
    const path = await form.upload('scan', Buffer.from('mine'))
    expect(await form.save({ scan: path })).toMatchObject({
      conflicts: [{ column: 'scan', theirs: digestOf(theirs), theirLabel: '6 bytes' }],
    })
    expect((await stored())?.[0]).toBe(digestOf(theirs))
  })

  test('of more than a form replaces are left alone, and so is a larger file', async () => {
    const { openForm, stored, write } = await open(place())
    const large = Buffer.alloc(FIELD_BYTES_MAX + 1, 1)
    const form = await openForm()
    await expect(form.upload('scan', large)).rejects.toMatchObject({ code: 'REFUSED' })
    await write(large)
    const other = await openForm()
    expect(other.field('scan')).toBeUndefined()
    expect((await stored())?.[0]).toBe(digestOf(large))
  })
})
