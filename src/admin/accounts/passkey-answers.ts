/** Reads what browsers send of a passkey. */

import * as v from 'valibot'

const text = v.pipe(v.string(), v.maxLength(16_384))
const extensions = v.optional(
  v.pipe(
    v.unknown(),
    v.transform(() => ({})),
  ),
  {},
)
const credential = {
  ...{ id: text, rawId: text, type: v.literal('public-key') },
  clientExtensionResults: extensions,
}

const registrationSchema = v.object({
  ...credential,
  response: v.object({
    ...{ clientDataJSON: text, attestationObject: text },
    transports: v.optional(v.pipe(v.array(text), v.maxLength(10)), []),
  }),
})

const authenticationSchema = v.object({
  ...credential,
  response: v.object({
    ...{ clientDataJSON: text, authenticatorData: text, signature: text },
  }),
})

export type RegistrationAnswer = v.InferOutput<typeof registrationSchema>
export type AuthenticationAnswer = v.InferOutput<typeof authenticationSchema>

/** `undefined` for anything else. */
export const readRegistration = (json: string): RegistrationAnswer | undefined =>
  read(registrationSchema, json)

export const readAuthentication = (json: string): AuthenticationAnswer | undefined =>
  read(authenticationSchema, json)

const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const

/** How a browser reaches the authenticator, as it has said itself. */
export const readTransports = (json: string): (typeof TRANSPORTS)[number][] =>
  read(v.array(v.picklist(TRANSPORTS)), json) ?? []

function read<Schema extends v.GenericSchema>(
  schema: Schema,
  json: string,
): v.InferOutput<Schema> | undefined {
  try {
    const { success, output } = v.safeParse(schema, JSON.parse(json))
    return success ? output : undefined
  } catch {
    // It is not JSON.
    return undefined
  }
}
