import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { type Metadata, openMetadata } from '../../database/metadata/metadata.ts'
import type { Actor } from '../../server/actor.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { Passwords } from './passwords.ts'

const client = { address: '127.0.0.1', userAgent: '' }
const password = 'correct horse battery'

let metadata: Metadata
let ana: Actor

const over = (stores: Metadata): Accounts =>
  createAccounts({
    ...{ metadata: stores, now: () => 1_700_000_000_000, randomBytes },
    passwords: new Passwords({ randomBytes, cost: { memory: 8, passes: 1, parallelism: 1 } }),
  })

beforeEach(async () => {
  metadata = await openMetadata(':memory:', { now: () => 1_700_000_000_000 })
  const accounts = over(metadata)
  const entry = { name: 'Ana', email: 'ana@example.org', password }
  ana = (await accounts.redeemLink(await accounts.issueLink({ role: 'admin' }), entry, client))
    .actor
})

test('a new name takes no address back that changes meanwhile', async () => {
  const meanwhile = { name: 'Ana', email: 'ak@example.org' }
  const { own } = over({
    ...metadata,
    async transaction(work) {
      await over(metadata).own.changeIdentity({ actor: ana, client }, meanwhile, password)
      return metadata.transaction(work)
    },
  })
  const renamed = { name: 'Ana Kovač', email: 'ana@example.org' }
  const kept = { name: 'Ana Kovač', email: 'ak@example.org' }
  expect(await own.changeIdentity({ actor: ana, client }, renamed, '')).toEqual(kept)
  expect(await metadata.users.find(ana.id)).toMatchObject(kept)
  const changes = await metadata.peopleChanges.list({ size: 9 })
  expect(changes.map(({ what }) => what).toSorted()).toEqual(['email', 'name'])
})
