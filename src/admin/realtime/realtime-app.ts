/** The id, key and secret of the realtime server: from the environment, or generated into a file. */

import { randomBytes as randomBytesOfNode } from 'node:crypto'
import { keptText } from '../accounts/secret.ts'
import { makeId, makeToken, type RandomBytes } from '../accounts/tokens.ts'
import { isRepetitive } from '../../server/keys.ts'
import type { RealtimeApp } from '../../realtime/signatures.ts'

/** Such as `shop:4f9c…:9d1e…`. The secret has 32 characters or more. */
const APP = /^([\w-]{1,64}):([\w-]{1,64}):([\w-]{32,128})$/

/**
 * The application of `TABLEWIRE_REALTIME`, written `<id>:<key>:<secret>`, or else of
 * `<dataFolder>/realtime`, which is created where it is missing. The key is public; whoever has the
 * secret may send any event. Throws one sentence that says what is wrong.
 */
export async function loadRealtimeApp(
  dataFolder: string,
  env: Readonly<Record<string, string | undefined>>,
  randomBytes: RandomBytes = randomBytesOfNode,
): Promise<RealtimeApp> {
  const given = env['TABLEWIRE_REALTIME']
  if (given !== undefined) return appOf(given, 'TABLEWIRE_REALTIME')
  const { text, file } = await keptText(dataFolder, 'realtime', randomBytes, (bytes) =>
    ['tablewire', makeId(bytes), makeToken(bytes)].join(':'),
  )
  return appOf(text, file)
}

function appOf(text: string, place: string): RealtimeApp {
  const [, id, key, secret] = APP.exec(text.trim()) ?? []
  if (id === undefined || key === undefined || secret === undefined)
    throw new Error(
      `${place} is not like <id>:<key>:<secret>: letters, digits, “-” and “_”, the id and the key up to 64 of them and the secret 32 to 128.`,
    )
  if (isRepetitive(secret))
    throw new Error(
      `The secret in ${place} repeats too few characters: “openssl rand -hex 32” prints a good one.`,
    )
  return { id, key, secret }
}
