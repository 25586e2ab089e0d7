/** JSON read strictly: no duplicate or forbidden keys, no great depth, well-formed text only. */

import { type Json, parseJson } from '../../protocol/json.ts'
import { AppError, type Detail } from '../app-error.ts'

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype'])

const malformed = (detail: Detail, cause?: unknown) =>
  new AppError('JSON_MALFORMED', { detail, cause })

/**
 * Parses JSON text. Throws `JSON_MALFORMED` for what `JSON.parse` refuses, for duplicate keys (where
 * parsers disagree), for keys that reach prototypes, for numbers too large for a double, for lone
 * surrogates, and for nesting deeper than `maxDepth`.
 */
export function parseStrictJson(text: string, maxDepth: number): Json {
  if (!text.isWellFormed()) throw malformed(({ json }) => json.halfCharacter)
  checkStructure(text, maxDepth)
  const value = parse(text)
  refuseUnsound(value)
  return value
}

function parse(text: string): Json {
  try {
    return parseJson(text)
  } catch (cause) {
    throw malformed(({ json }) => json.notJson, cause)
  }
}

/** Walks the parsed values, because a reviver would make the parser many times slower. */
function refuseUnsound(value: Json): void {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw malformed(({ json }) => json.largeNumber)
  // Well-formed text can still escape a lone surrogate.
  if (typeof value === 'string' && !value.isWellFormed())
    throw malformed(({ json }) => json.halfCharacter)
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach(refuseUnsound)
  for (const [key, inner] of Object.entries(value)) {
    refuseUnsound(key)
    refuseUnsound(inner)
  }
}

/** Finds duplicate keys and deep nesting in one walk; the parser checks the rest. */
function checkStructure(text: string, maxDepth: number): void {
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      const keys = open.at(-1)
      if (keys && followedByColon(text, end)) addKey(keys, text.slice(at, end + 1))
      at = end
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null)
      if (open.length > maxDepth)
        throw malformed(({ json }, number) => json.tooDeep(number(maxDepth)))
    } else if (char === '}' || char === ']') open.pop()
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** By codes, which are compared twice as fast as characters: a snapshot is one long text. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    at += code === BACKSLASH ? 2 : 1
  }
  return at
}

function followedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}

function addKey(keys: Set<string>, literal: string): void {
  const key = literal.includes('\\') ? unescape(literal) : literal.slice(1, -1)
  if (keys.has(key)) throw malformed(({ json }) => json.keyTwice)
  if (FORBIDDEN_KEYS.has(key)) throw malformed(({ json }) => json.forbiddenKey)
  keys.add(key)
}

function unescape(literal: string): string {
  try {
    return String(JSON.parse(literal))
  } catch (cause) {
    throw malformed(({ json }) => json.notJson, cause)
  }
}
