/** A self-signed certificate for one host name, made anew for each test. */

import { generateKeyPairSync, sign } from 'node:crypto'

/** One element of DER: its tag, its length, and what it holds. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const hex = (text: string) => Buffer.from(text, 'hex')
const time = (text: string) => der(0x17, Buffer.from(text))

const ECDSA_SHA256 = sequence(der(0x06, hex('2a8648ce3d040302')))
const COMMON_NAME = der(0x06, hex('550403'))
const ALTERNATIVE_NAME = der(0x06, hex('551d11'))

/** PEM texts of the key and the certificate. */
export function certificateOf(host: string): { readonly key: string; readonly cert: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from(host)))))
  const names = sequence(der(0x82, Buffer.from(host)))
  const told = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_SHA256,
    name,
    sequence(time('200101000000Z'), time('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(ALTERNATIVE_NAME, der(0x04, names)))),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', told, privateKey)])
  const base64 = sequence(told, ECDSA_SHA256, der(0x03, signature)).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
  }
}
