/** Makes one-time links that sign an administrator in. */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openMetadata } from '../../database/metadata/metadata.ts'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import { type Addresses, createAddresses } from '../addresses.ts'

/** The file of Tablewire's own records in its data folder. */
export const metadataFile = (dataFolder: string): string => join(dataFolder, 'meta.sqlite')

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
