/** How an address that asks for what there is not is refused. */

import { AppError, type Detail } from '../server/app-error.ts'

/** A parameter that is not known, or not as it has to be. */
export const badParameter = (detail: Detail): AppError =>
  new AppError('TABLE_BAD_PARAMETER', { detail })

/** A column that is not there, or that the actor may not see: nobody is to tell which. */
export const unknownColumn = (name: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: ({ address }) => address.column(clip(name)) })

/** The beginning of what somebody wrote, to be named in an error. */
export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
