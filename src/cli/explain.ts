/** Words an error for the person who started the command. */

import { AppError } from '../server/app-error.ts'
import { SettingsError } from './settings.ts'
import { withoutSecrets } from './without-secrets.ts'
import { propertyOf } from '../server/property-of.ts'

/** One sentence for errors that the person can fix, the whole message for others; without secrets. */
export const explain = (error: unknown): string => withoutSecrets(sentenceOf(error))

function sentenceOf(error: unknown): string {
  if (error instanceof SettingsError) return error.message
  if (error instanceof AppError) return [error.message, error.detail].filter(Boolean).join(' ')
  const [code, address, hostname, port] = ['code', 'address', 'hostname', 'port'].map((name) => {
    const value = propertyOf(error, name)
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
  })
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use. Choose another with --port, or 0 for any free one.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine cannot listen on [${address ?? hostname ?? 'this host'}]. Choose another --host.`
  if (code === 'EACCES' && port !== undefined)
    return `Port ${port} may not be used. Choose one above 1023 with --port.`
  return error instanceof Error ? error.message : String(error)
}
