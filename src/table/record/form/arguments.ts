/** Schemas of what forms and cells are asked. */

import * as v from 'valibot'
import { byName } from '../../source/by-name.ts'

/** A name, or a few words that somebody types. */
export const shortText = v.pipe(v.string(), v.maxLength(200))
/** Texts of fields by column. */
export const texts = byName(v.nullable(v.string()), shortText)

/** How the texts of fields were read when they were drawn, by column. */
export const readings = v.optional(byName(shortText))

/** A column; that of a section's field stands after the name of the section and a slash. */
export const fieldName = v.pipe(v.string(), v.maxLength(1000))
