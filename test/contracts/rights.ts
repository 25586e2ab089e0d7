/** What the database's user may write, as it is told before changes are allowed, on each server. */

import { describe, expect, onTestFinished, test } from 'vitest'
import type { RowSource } from '../../src/table/source/row-source.ts'
import type { WriteRights } from '../../src/table/source/writing.ts'
import { fullAccess } from './actors.ts'
import { writeRows } from './opened.ts'

/** Privileges on each table of `shop`, as SQL names them. */
export type Privileges = { readonly people: string; readonly orders: string }

/** A database of the tables of `shop`, opened by a user of its own; changes are not allowed yet. */
export type OpenAsUser = (privileges: Privileges) => Promise<{
  readonly source: RowSource
  readonly user: string
  /** Closes the source, and drops the user. */
  close(): Promise<void>
}>

const ALL = 'select, insert, update, delete'

/** `tellsDelete`: whether the server tells where the user may delete. */
export function rightsContract(
  name: string,
  openAsUser: OpenAsUser,
  { tellsDelete }: { readonly tellsDelete: boolean },
): void {
  const open = async (privileges: Privileges) => {
    const { source, user, close } = await openAsUser(privileges)
    onTestFinished(close)
    // Sources that are opened by an address have it.
    return { source, user, writing: source.writing! }
  }
  const rightsOf = (user: string, counts: Omit<WriteRights, 'role' | 'tables'>): WriteRights => ({
    role: user,
    tables: 2,
    ...counts,
    delete: tellsDelete ? counts.delete : null,
  })
  const update = async (source: RowSource, table: string, set: { [column: string]: string }) => {
    const { tables } = await source.describe()
    // The fixture has it.
    const access = fullAccess(tables.find((one) => one.name === table)!)
    return writeRows(source, access, [{ update: [table === 'people' ? 1 : 10], set }])
  }
  const REFUSED = { code: 'TABLE_READ_ONLY' }

  describe(`${name}: what the database’s user may write`, () => {
    test('is nothing for one that may only select, and changes are never allowed', async () => {
      const { source, user, writing } = await open({ people: 'select', orders: 'select' })
      expect(await writing.rights()).toEqual(rightsOf(user, { insert: 0, update: 0, delete: 0 }))
      await expect(writing.allow(true)).rejects.toMatchObject(REFUSED)
      expect(writing.isAllowed()).toBe(false)
      await expect(update(source, 'people', { name: 'Eve' })).rejects.toMatchObject(REFUSED)
    })

    test('is told by table, and what is not granted is refused in words', async () => {
      const { source, user, writing } = await open({
        people: 'select, update (name)',
        orders: 'select, insert',
      })
      expect(await writing.rights()).toEqual(rightsOf(user, { insert: 1, update: 1, delete: 0 }))
      await expect(update(source, 'people', { name: 'Eve' })).rejects.toMatchObject(REFUSED)
      await writing.allow(true)
      expect(await update(source, 'people', { name: 'Eve' })).toEqual([
        { status: 'done', key: [1] },
      ])
      await expect(update(source, 'orders', { code: 'x' })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    })

    test('is everything for one that may write all tables, until that is taken back', async () => {
      const { source, user, writing } = await open({ people: ALL, orders: ALL })
      expect(await writing.rights()).toEqual(rightsOf(user, { insert: 2, update: 2, delete: 2 }))
      await writing.allow(true)
      expect(await update(source, 'orders', { code: 'x' })).toEqual([{ status: 'done', key: [10] }])
      await writing.allow(false)
      await expect(update(source, 'orders', { code: 'y' })).rejects.toMatchObject(REFUSED)
    })
  })
}
