/** `tablewire people`: lists who may come in, invites somebody, and makes a link for a new password. */

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { createAccounts } from '../admin/accounts/accounts.ts'
import { roleNames } from '../admin/accounts/role-texts.ts'
import {
  COMMAND,
  type Directory,
  type IssuedLink,
  type Person,
} from '../admin/accounts/directory.ts'
import { createAddresses } from '../admin/addresses.ts'
import { linkLetters } from '../admin/mail/link-letters.ts'
import { readMailSettings } from '../admin/mail/mail-settings.ts'
import { createMailer } from '../admin/mail/mailer.ts'
import { openRecords, recordsFile } from '../admin/compose/records-place.ts'
import { emailKey } from '../database/metadata/email-key.ts'
import { messagesFor } from '../messages/messages.ts'
import { DEFAULT_READER } from '../server/http/locale.ts'
import type { Role } from '../server/actor.ts'
import { type ConfigFile, loadConfig } from './config-file.ts'
import { findServer } from './running-server.ts'
import { say } from './say.ts'
import { type Command, readAddress, readRecords, SettingsError } from './settings.ts'
import { logWithoutSecrets } from './without-secrets.ts'

/** Works beside a running server, which knows of each change at once. Throws `SettingsError`. */
export async function peopleCommand(command: Command, env: NodeJS.ProcessEnv): Promise<void> {
  const file = await loadConfig(command.flags.config)
  const records = readRecords(command, env, file?.config)
  if (records.metadata === undefined && !existsSync(recordsFile(records.dataFolder)))
    throw new SettingsError(
      `There are no people in [${records.dataFolder}]: Tablewire has not run there. Start it once, or name another folder with --data.`,
    )
  const role = readRole(command, roleNames(file?.config.roles ?? {}))
  const now = Date.now
  const metadata = await openRecords({ ...records, now, log: say })
  try {
    const { directory } = createAccounts({ metadata, now, randomBytes })
    const { person, flags } = command
    if (!person) return (await tableOf(directory)).forEach(say)
    const issued =
      person.what === 'invite'
        ? await directory.invite(COMMAND, { name: flags.name ?? '', email: person.email, role })
        : await directory.renewLink(COMMAND, await idOf(directory, person.email))
    const place = await originFor(records.dataFolder, command, env, file)
    tellLink(issued, place)
    say(await sendLink(issued, place, env))
  } finally {
    await metadata.close()
  }
}

/** Who is invited reads, unless more is asked for. */
function readRole({ flags: { role = 'viewer' } }: Command, roles: readonly Role[]): Role {
  if (roles.includes(role)) return role
  throw new SettingsError(`There is no role [${role}]; there are ${roles.join(', ')}.`)
}

async function idOf(directory: Directory, email: string): Promise<string> {
  const people = await directory.list()
  const person = people.find((one) => emailKey(one.email) === emailKey(email))
  if (!person)
    throw new SettingsError(
      `Nobody has the address [${email}]. Run tablewire people for the list, or tablewire people invite ${email}.`,
    )
  if (person.state === 'disabled')
    throw new SettingsError(
      `${person.name} is disabled. An administrator can enable them on the page of people.`,
    )
  return person.id
}

type Place = {
  readonly origin: string
  /** Whether somebody has said so by `--url`: a loopback address means nothing in a mail. */
  readonly hasUrl: boolean
  readonly isRunning: boolean
}

/** Where the link will be opened: where `--url` says, else at the server that runs, else where one would. */
async function originFor(
  dataFolder: string,
  command: Command,
  env: NodeJS.ProcessEnv,
  file: ConfigFile | undefined,
): Promise<Place> {
  const server = await findServer(dataFolder)
  const isRunning = server !== null
  if (server?.hasUrl) return { origin: server.origin, hasUrl: true, isRunning }
  const { address, hasUrl } = readAddress(command, env, file?.config)
  return { origin: hasUrl ? address : (server?.origin ?? address), hasUrl, isRunning }
}

/** Says what became of the mail. */
async function sendLink(
  issued: IssuedLink,
  { origin, hasUrl }: Place,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const settings = readMailSettings(env)
  const send = linkLetters({
    mailer: settings && createMailer({ settings, log: logWithoutSecrets }),
    addressOf: (token) => (hasUrl ? origin + createAddresses().link(token) : undefined),
  })
  const { mail } = messagesFor(DEFAULT_READER.language)
  return mail.delivery[await send(issued, COMMAND.name, DEFAULT_READER)](issued.person.email)
}

function tellLink(
  { token, expiresAt, replaces, person }: IssuedLink,
  { origin, isRunning }: Place,
): void {
  say(`Link for ${person.name} <${person.email}>, ${person.role}:`)
  say(origin + createAddresses().link(token))
  say(`It works once, until ${timeOf(expiresAt)}, and whoever opens it chooses the password.`)
  if (replaces) say('An earlier link for them no longer works.')
  if (!isRunning) say('No Tablewire runs on this data folder here; the link opens once one does.')
}

async function tableOf(directory: Directory): Promise<string[]> {
  const people = await directory.list()
  if (people.length === 0) return ['Nobody yet.']
  const rows = [HEADS, ...people.map(cellsOf)]
  const widths = HEADS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

const HEADS = ['Name', 'E-mail', 'Role', 'State', 'Last seen']

const cellsOf = ({ name, email, role, state, lastSeenAt }: Person): string[] => [
  name,
  email,
  role,
  state,
  lastSeenAt === null ? 'never' : timeOf(lastSeenAt),
]

/** In the terminal's own zone, such as `2026-11-26 13:45`. */
const timeOf = (at: number): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short' }).format(at)
