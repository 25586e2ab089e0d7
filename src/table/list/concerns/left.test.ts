import { expect, test } from 'vitest'
import type { FoundLeft } from '../../plans/left-rows.ts'
import { nothing } from '../../source/predicate.ts'
import { drawLeft } from './left.ts'

const reader = { locale: 'en-US', language: 'en' }
const href = ({ left }: { left: string | null }) => `/notes?left=${left ?? ''}`

const drawn = (reasons: number, reason: number | null = null) => {
  const found: FoundLeft = {
    ...{ plan: 'p', title: 'Close', asked: undefined, reason, where: nothing },
    reasons: Array.from({ length: reasons }, (_, at) => [`Reason ${at}`, reasons - at] as const),
  }
  return drawLeft('p', { found, reader, href })
}

test('tells the most frequent reasons, and how many others there are', () => {
  expect(drawn(20)).toMatchObject({ otherReasons: null })
  const { reasons, otherReasons } = drawn(10_000)
  expect(reasons).toHaveLength(20)
  expect(reasons.at(-1)).toMatchObject({ text: 'Reason 19', href: '/notes?left=p.19' })
  expect(otherReasons).toBe('9,980 more reasons')
  expect(drawn(21).otherReasons).toBe('1 more reason')
})

test('tells a less frequent reason whose rows are shown', () => {
  const { reasons, otherReasons } = drawn(30, 25)
  expect(reasons.at(-1)).toMatchObject({ text: 'Reason 25', isShown: true })
  expect(otherReasons).toBe('9 more reasons')
})
