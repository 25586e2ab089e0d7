/** Which column names look as if a secret stood in them. */

/** Words that say it by themselves. */
const SECRET_WORDS =
  'password passwords passwd pwd passphrase passcode secret secrets token tokens jwt hash hashes ' +
  'otp totp credential credentials apikey apikeys privatekey secretkey accesskey cvv cvc'

/** Words that make a key secret when they stand before it; an identifier is a key as well. */
const KEY_COMPANY = 'api private access encryption signing auth master ssh license app session'

/** Other words that say it only together. */
const SECRET_PAIRS = ['user pass', 'recovery code', 'recovery codes', 'backup code', 'backup codes']

const words = new Set(SECRET_WORDS.split(' '))
const pairs = new Set([
  ...SECRET_PAIRS,
  ...KEY_COMPANY.split(' ').flatMap((word) => [`${word} key`, `${word} keys`]),
])

/** Whether a name holds such a word as a whole, in snake, camel or kebab case. */
export function isSecretName(name: string): boolean {
  const parts = wordsOf(name)
  return parts.some((part, i) => words.has(part) || pairs.has(`${part} ${parts[i + 1]}`))
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean)
