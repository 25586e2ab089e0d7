/** Handles of sealed plans: they name a plan to one person in one session, and say nothing else. */

import { KEY_ID_LENGTH, type KeyRing, MAC_LENGTH } from '../../server/keys.ts'

export type HandleKeys = Pick<KeyRing, 'sign' | 'verify'>

/** Whose handle it is. */
export type Holder = { readonly person: string; readonly lineage: string }

const HANDLE = new RegExp(`^([\\w-]{1,64})\\.([\\w-]{${KEY_ID_LENGTH}})\\.([\\w-]{${MAC_LENGTH}})$`)

const signed = (id: string, { person, lineage }: Holder): string =>
  JSON.stringify([id, person, lineage])

export function signHandle(keys: HandleKeys, id: string, holder: Holder): string {
  const { keyId, mac } = keys.sign('plan', signed(id, holder))
  return `${id}.${keyId}.${mac}`
}

/** The plan's id; `undefined` for a handle that was not given to this person in this session. */
export function openHandle(keys: HandleKeys, handle: string, holder: Holder): string | undefined {
  const [, id = '', keyId = '', mac = ''] = HANDLE.exec(handle) ?? []
  if (id === '') return undefined
  return keys.verify('plan', signed(id, holder), { keyId, mac }) === 'valid' ? id : undefined
}
