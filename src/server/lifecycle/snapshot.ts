/** Snapshots: a component's state sealed for the browser, and opened again without trust. */

import type { JsonObject } from '../../protocol/json.ts'
import type { Memo, Snapshot } from '../../protocol/wire.ts'
import { KEY_ID_LENGTH, type KeyRing, MAC_LENGTH } from '../keys.ts'

/** Version of the format; an older one is outdated, not forged. */
const FORMAT = 1
const TAIL = new RegExp(
  `^,"checksum":"(\\d)\\.([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]{${MAC_LENGTH}})"\\}$`,
)
const TAIL_LENGTH = ',"checksum":"1.."}'.length + KEY_ID_LENGTH + MAC_LENGTH

/** Longest snapshot that is sealed and opened, characters. */
export const SNAPSHOT_MAX = 128 * 1024

/** Whom and which build a snapshot is for; the MAC covers all of it. */
export type Binding = {
  readonly build: string
  /** Tells this process from any other. Default: none is told apart. */
  readonly process?: string
  readonly user: string
  readonly lineage: string
}

export type Opened =
  | { readonly kind: 'valid'; readonly snapshot: Omit<Snapshot, 'checksum'> }
  /** Of another build, an unknown key or another session of the same person: fetch anew. */
  | { readonly kind: 'outdated' }
  | { readonly kind: 'forged' }

/**
 * The MAC covers every byte before it, so the server verifies the string as received and never
 * re-encodes it. Throws if the snapshot would be too large to open again.
 */
export function sealSnapshot(keys: KeyRing, data: JsonObject, memo: Memo): string {
  const body = `{"data":${JSON.stringify(data)},"memo":${JSON.stringify(memo)}`
  const { keyId, mac } = keys.sign('snapshot', body)
  const snapshot = `${body},"checksum":"${FORMAT}.${keyId}.${mac}"}`
  if (snapshot.length > SNAPSHOT_MAX)
    throw new RangeError(
      `The snapshot of component [${memo.name}] has ${snapshot.length} characters, more than ${SNAPSHOT_MAX}. Keep keys in its state, and read what they stand for in its view.`,
    )
  return snapshot
}

/** Verifies the MAC before it reads anything inside. */
export function openSnapshot(keys: KeyRing, text: string, binding: Binding): Opened {
  if (text.length > SNAPSHOT_MAX || !text.isWellFormed()) return { kind: 'forged' }
  const tail = TAIL.exec(text.slice(-TAIL_LENGTH))
  if (!tail) return { kind: 'forged' }
  const [, format, keyId = '', mac = ''] = tail
  if (Number(format) !== FORMAT) return { kind: 'outdated' }
  const body = text.slice(0, -TAIL_LENGTH)
  const verdict = keys.verify('snapshot', body, { keyId, mac })
  if (verdict !== 'valid') return { kind: verdict === 'forged' ? 'forged' : 'outdated' }
  // The MAC is ours, so the text is what `sealSnapshot` wrote.
  const { data, memo } = JSON.parse(text) as Snapshot
  return judge({ data, memo }, binding)
}

function judge(snapshot: Omit<Snapshot, 'checksum'>, binding: Binding): Opened {
  const { user, lineage, build } = snapshot.memo
  if (user !== binding.user) return { kind: 'forged' }
  const current = lineage === binding.lineage && build === binding.build
  return current ? { kind: 'valid', snapshot } : { kind: 'outdated' }
}
