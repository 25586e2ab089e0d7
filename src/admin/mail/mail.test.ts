import { describe, expect, onTestFinished, test } from 'vitest'
import { type MailSinkOptions, openMailSink } from '../../../test/mail-sink.ts'
import { DEFAULT_READER } from '../../server/http/locale.ts'
import type { IssuedLink } from '../accounts/directory.ts'
import { linkLetters } from './link-letters.ts'
import { readMailSettings } from './mail-settings.ts'
import { createMailer } from './mailer.ts'

const TOKEN = 'T'.repeat(43)
const issued = (more: Partial<IssuedLink['person']> = {}): IssuedLink => ({
  ...{ token: TOKEN, expiresAt: Date.UTC(2026, 10, 26, 10, 42), replaces: false, isInvited: true },
  person: { id: 'mira', name: 'Mira <b>', email: 'mira@example.org', role: 'editor', ...more },
})

type MailOptions = MailSinkOptions & {
  readonly origin?: string | undefined
  readonly wholeMs?: number
}

async function open(options: MailOptions = {}) {
  const sink = await openMailSink(options)
  onTestFinished(() => sink.close())
  const log: string[] = []
  const { origin = 'https://admin.example.org', wholeMs } = options
  const settings = readMailSettings({
    SMTP_URL: `${sink.url}?socketTimeout=300&greetingTimeout=300`,
    SMTP_FROM: 'Tablewire <admin@example.org>',
  })!
  const send = linkLetters({
    mailer: createMailer({
      ...{ settings, log: (line) => log.push(line) },
      ...(wholeMs !== undefined && { wholeMs }),
    }),
    addressOf: (token) =>
      ('origin' in options ? options.origin : origin) && `${origin}/in/${token}`,
  })
  return { sink, log, send: (link: IssuedLink) => send(link, 'Ana', DEFAULT_READER) }
}

/** The parts of a mail, their transfer encoding taken off. */
const decoded = (data: string) =>
  data
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))

describe('a link by mail', () => {
  test('goes to its person as text and as HTML, with what it is and how long it works', async () => {
    const { sink, send } = await open()
    expect(await send(issued())).toBe('sent')
    expect(sink.mails).toMatchObject([{ from: 'admin@example.org', to: ['mira@example.org'] }])
    const mail = decoded(sink.mails[0]!.data)
    expect(mail).toMatch(/^From: Tablewire <admin@example\.org>\r$/m)
    expect(mail).toMatch(/^Subject: You are invited to admin\.example\.org\r$/m)
    expect(mail).toMatch(/^Content-Type: text\/plain; charset=utf-8\r$/m)
    const link = `https://admin.example.org/in/${TOKEN}`
    expect(mail).toContain(`\r\n${link}\r\n`)
    expect(mail).toContain(`<a href="${link}">Choose a password</a>`)
    expect(mail).toContain('Ana invites you to admin.example.org.')
    expect(mail).toMatch(/It works once, until Nov 26, 2026, .* UTC\./)
    expect(mail).toContain('only the newest works.')
    expect(mail).toContain('<p>Hello Mira &lt;b&gt;,</p>')

    expect(await send({ ...issued(), isInvited: false })).toBe('sent')
    expect(sink.mails[1]!.data).toMatch(/^Subject: A new password for admin\.example\.org\r$/m)
  })

  test.each([
    ['does not greet', { HELO: null }, 'silent'],
    ['refuses the sender', { MAIL: '550 No.' }, 'recipient'],
    ['refuses the recipient', { RCPT: '550 Unknown.' }, 'recipient'],
    ['takes no letter', { DATA: '554 Full.' }, 'refused'],
  ] as const)(
    'is kept for the page where the server %s, and the log says so',
    async (...[, instead, why]) => {
      const { sink, log, send } = await open({ instead })
      expect(await send(issued())).toBe(why)
      expect([sink.mails, log]).toEqual([[], ['A mail was not sent.']])
    },
  )

  test('takes no longer than a request, though the server answers each step in time', async () => {
    const { sink, log, send } = await open({ pauseMs: 100, wholeMs: 250 })
    expect(await send(issued())).toBe('silent')
    expect([sink.mails, log]).toEqual([[], ['A mail was not sent.']])
  })

  test('is not sent where there is no server, or where nobody knows where pages are', async () => {
    const { sink, send } = await open()
    await sink.close()
    expect(await send(issued())).toBe('silent')
    expect(await (await open({ origin: undefined })).send(issued())).toBe('placeless')
    const none = linkLetters({ addressOf: () => 'https://admin.example.org/in/x' })
    expect(await none(issued(), 'Ana', DEFAULT_READER)).toBe('none')
  })

  test.each(['a@example.org,eve@example.org', 'Eve<eve@example.org>', 'a@b@c', '"a@b'])(
    'goes to nobody else: %s',
    async (email) => {
      const { sink, send } = await open()
      expect(await send(issued({ email }))).toBe('address')
      expect(sink.mails).toEqual([])
    },
  )
})

describe('the settings', () => {
  const from = 'admin@example.org'

  test('are an address of a server and one that mail is from', () => {
    expect(readMailSettings({})).toBeUndefined()
    expect(readMailSettings({ SMTP_FROM: from })).toBeUndefined()
    const server = 'smtps://ana:pass%20word@mail.example.org:465'
    expect(readMailSettings({ SMTP_URL: server, SMTP_FROM: from })).toEqual({
      ...{ server, from: { name: '', address: from } },
    })
    expect(readMailSettings({ SMTP_URL: server, SMTP_FROM: `"My Shop" <${from}>` })).toMatchObject({
      from: { name: 'My Shop', address: from },
    })
  })

  test.each([
    [{ SMTP_URL: 'https://ana:hidden@mail.example.org', SMTP_FROM: from }, /^SMTP_URL is not like/],
    [{ SMTP_URL: 'mail.example.org:hidden', SMTP_FROM: from }, /^SMTP_URL is not like/],
    [{ SMTP_URL: 'smtp://mail.example.org' }, /^SMTP_FROM is missing/],
    [{ SMTP_URL: 'smtp://mail.example.org', SMTP_FROM: 'a@b, c@d' }, /^SMTP_FROM is missing/],
    [{ SMTP_URL: 'smtp://mail.example.org', SMTP_FROM: `a\nBcc: x@y <${from}>` }, /^SMTP_FROM/],
  ])('are refused in one sentence that holds no secret: %j', (env, why) => {
    expect(() => readMailSettings(env)).toThrow(why)
    expect(() => readMailSettings(env)).not.toThrow(/hidden/)
  })
})
