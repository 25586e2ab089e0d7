/** Makes one-time links that sign an administrator in. */

import { randomBytes } from 'node:crypto'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import { type Addresses, createAddresses } from '../addresses.ts'
import { openRecords, type RecordsOptions } from '../compose/records-place.ts'

/** Path of a link that signs the first administrator in, or makes that account. */
export async function signInLink(accounts: Accounts, { link }: Addresses): Promise<string> {
  const administrator = await accounts.administrator()
  const token = await accounts.issueLink({
    role: 'admin',
    ...(administrator && { userId: administrator.id }),
  })
  return link(token)
}

/** The same without a prefix, from a process beside the server, which accepts the link at once. */
export async function signInLinkFrom(records: Omit<RecordsOptions, 'now'>): Promise<string> {
  const now = Date.now
  const metadata = await openRecords({ ...records, now })
  try {
    return await signInLink(createAccounts({ metadata, now, randomBytes }), createAddresses())
  } finally {
    await metadata.close()
  }
}
