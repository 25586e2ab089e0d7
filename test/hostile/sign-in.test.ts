/** Hostile visitors: nobody comes in without a secret, is led away, or learns who has an account. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectService, record, withstand } from './attack.ts'
import {
  destinations,
  forgedForms,
  goodSignIns,
  guessedLinks,
  guessedSteps,
  oddForms,
  openForm,
  postForm,
  type Visitor,
} from './sign-ins.ts'
import { openTarget, PASSWORD, type Target } from './target.ts'
import { makeOffice } from './worlds.ts'

const family = 'sign-in'
let target: Target
let visitor: Visitor

beforeAll(async () => {
  target = await openTarget({ prepare: (file) => makeOffice(file, 'one'), table: 'notes' })
  visitor = await openForm(target)
})
afterAll(() => target.close())

describe('a visitor stays outside', () => {
  test('with tokens that are not theirs', (context) =>
    withstand(target, context, family, forgedForms(target, visitor)))

  test('with fields of every kind', (context) =>
    withstand(target, context, family, oddForms(target, visitor, 40)))

  test('with second steps that nobody has begun', (context) =>
    withstand(target, context, family, guessedSteps(target, visitor, 100)))

  test('with links that nobody was given', (context) =>
    withstand(target, context, family, guessedLinks(target, visitor, 100)))
})

describe('nobody is led away', () => {
  test('who is signed in already, or is sent to the form', (context) =>
    withstand(target, context, family, destinations(target)))

  test('after signing in', async ({ task }) => {
    const wrong: string[] = []
    let count = 0
    for (const { name, request, allowed, check } of goodSignIns(target, visitor)) {
      count++
      const answer = await target.send(request)
      const complaint = allowed.includes(answer.status)
        ? check?.(answer)
        : `status ${answer.status}`
      if (complaint !== undefined) wrong.push(`${name}: ${complaint}`)
    }
    record(task, family, count)
    expect(wrong).toEqual([])
    expect(target.complaints).toEqual([])
    await expectService(target)
  })
})

test('an account that exists and one that does not are answered alike', async ({ task }) => {
  const { editor, viewer } = target.people
  await target.admin.accounts.directory.disable({ id: 'ana', name: 'Ana' }, viewer.id)
  const emails = [editor.email, viewer.email, 'nobody@example.org', 'x@']
  const answers = []
  for (const email of emails) {
    target.advance(61_000)
    const fields = { _token: visitor.csrf, email, password: 'not the right one', next: '/' }
    const { status, body, headers } = await target.send(postForm('/sign-in', visitor, fields))
    answers.push({
      status,
      body: body
        .replaceAll(email || '\0', '…')
        .replace(/[\w-]{16}\.[\w-]{8}\.[\w-]{43}/g, 'token')
        .replace(/nonce="[^"]*"/g, 'nonce')
        .replace(/value=""|value="…"/g, 'value')
        .replace(/"email":"…?"/g, 'email'),
      names: Object.keys(headers).filter((name) => name !== 'content-length'),
    })
  }
  record(task, family, emails.length)
  for (const answer of answers) expect(answer).toEqual(answers[0])
  expect(answers[0]!.status).toBe(401)
})

test('a session that was there before signing in is not the one that comes of it', async ({
  task,
}) => {
  target.advance(61_000)
  const { editor } = target.people
  const planted = `${target.admin.sessionCookie}=${'A'.repeat(43)}`
  const fields = { _token: visitor.csrf, email: editor.email, password: PASSWORD, next: '/' }
  const cookie = `${visitor.cookie}; ${planted}`
  const answer = await target.send(postForm('/sign-in', { cookie }, fields))
  expect(answer.status).toBe(303)
  expect(answer.headers['set-cookie']!).not.toContain(planted)
  const page = await target.send({ url: '/you', headers: { cookie: planted } })
  expect(page.status).toBe(303)
  record(task, family, 2)
})
