/** The answer to files that do not fit: 422, with messages by file (spec §8). */

import type { FastifyReply } from 'fastify'
import type { ServerMessages } from '../../messages/messages.ts'
import type { UploadErrors } from '../../protocol/upload.ts'
import type { Ticket } from './ticket.ts'
import type { Unfit } from './uploads.ts'

export function refuseFiles(
  reply: FastifyReply,
  { files }: Ticket,
  unfit: ReadonlyMap<number, Unfit>,
  { details: { upload } }: ServerMessages,
): FastifyReply {
  const told: UploadErrors = {
    message: upload.notTaken,
    errors: Object.fromEntries(
      [...unfit].map(([at, why]) => [`files.${at}`, [upload[why](files[at]?.name ?? '')]]),
    ),
  }
  return reply.code(422).send(told)
}
