/** `tablewire build`: builds the browser's half of a configuration. */

import { relative, resolve } from 'node:path'
import { loadConfig } from '../config-file.ts'
import { say } from '../say.ts'
import { type Command, SettingsError } from '../settings.ts'
import { buildClient } from './build-client.ts'
import { findClient } from './client-file.ts'

export async function buildCommand({ flags }: Command): Promise<void> {
  const client = findClient(await loadConfig(flags.config))
  if (!client)
    throw new SettingsError(
      'There is no tablewire.client.tsx to build. Write one: export default defineClient({ pages: { … } })',
    )
  const out = flags.out === undefined ? client.out : resolve(flags.out)
  await buildClient({ entry: client.entry, out })
  say(`Written: ${relative('', out) || out}`)
}
