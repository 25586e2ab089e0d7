/** Fresh one-time links that sign an administrator in. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openMetadata } from '../../database/metadata/metadata.ts'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import { type Addresses, createAddresses } from '../addresses.ts'

/** Tablewire's own records within its data folder. */
export const metadataFile = (dataFolder: string): string => join(dataFolder, 'meta.sqlite')

/** Path of a link for the first administrator, or for whoever is to become it. */
export async function signInLink(accounts: Accounts, { link }: Addresses): Promise<string> {
  const administrator = await accounts.administrator()
  const token = await accounts.issueLink({
    role: 'admin',
    ...(administrator && { userId: administrator.id }),
  })
  return link(token)
}

/** The same, without a prefix, from outside of the server that runs on a data folder; it knows the link at once. */
export async function signInLinkFrom(
  dataFolder: string,
  now: () => number = Date.now,
): Promise<string> {
  const metadata = await openMetadata(metadataFile(dataFolder), { now })
  try {
    return await signInLink(createAccounts({ metadata, now, randomBytes }), createAddresses())
  } finally {
    await metadata.close()
  }
}
