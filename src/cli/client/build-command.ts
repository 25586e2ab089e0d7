/** `tablewire build`: builds the browser's half of a configuration. */

import { relative, resolve } from 'node:path'
import { undrawnPages, unknownNames } from '../../admin/compose/check-client.ts'
import { loadRenderer } from '../../server/http/load-renderer.ts'
import { problemLines } from '../../table/definition/problems.ts'
import { type ConfigFile, loadConfig } from '../config-file.ts'
import { say } from '../say.ts'
import { type Command, SettingsError } from '../settings.ts'
import { buildClient } from './build-client.ts'
import { findClient } from './client-file.ts'

export async function buildCommand({ flags }: Command): Promise<void> {
  const file = await loadConfig(flags.config)
  const client = findClient(file)
  if (!client)
    throw new SettingsError(
      'There is no tablewire.client.tsx to build. Write one: export default defineClient({ pages: { … } })',
    )
  const out = flags.out === undefined ? client.out : resolve(flags.out)
  await buildClient({
    entry: client.entry,
    out,
    // Without a configuration, an application names pages and kinds; it hears of it when it starts.
    ...(file && { check: (renderer) => assertNames(file, renderer) }),
  })
  say(`Written: ${relative('', out) || out}`)
}

/** Compares the names in `defineClient` with the configuration; throws `SettingsError` with each mistake. */
async function assertNames({ config, problems }: ConfigFile, renderer: string): Promise<void> {
  // The server reports mistakes of the configuration itself.
  if (problems.length > 0) return
  const { added } = await loadRenderer(renderer)
  const { pages = [], kinds = [] } = config
  const mistakes = problemLines([
    ...unknownNames({ pages, kinds }, added),
    ...undrawnPages(pages, new Set(added.pages), added),
  ])
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'))
}
