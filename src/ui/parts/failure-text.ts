/** Puts a refusal into words: those of the browser, or those that the server sent. */

import type { ServerFailure } from '../../client/failure.ts'
import type { PageMessages } from '../../messages/messages.ts'

export function failureText(
  { code, message }: Pick<ServerFailure, 'code' | 'message'>,
  words: PageMessages['failures'],
): string {
  const inBrowser: { readonly [code: string]: string } = words.inBrowser
  return inBrowser[code] ?? message
}
