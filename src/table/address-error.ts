/** Errors for addresses with unknown or invalid parameters and columns. */

import { AppError, type Detail } from '../server/app-error.ts'

/** A parameter that is unknown or has an invalid value. */
export const badParameter = (detail: Detail): AppError =>
  new AppError('TABLE_BAD_PARAMETER', { detail })

/** A column that is missing or that the actor may not see; the error must not reveal which. */
export const unknownColumn = (name: string): AppError =>
  new AppError('TABLE_UNKNOWN_COLUMN', { detail: ({ address }) => address.column(clip(name)) })

/** Shortens text from an address, to quote it in an error. */
export const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
