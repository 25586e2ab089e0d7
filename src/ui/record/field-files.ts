/** The files of a form's field: which its text stands for, and the text that stands for some. */

import type { FieldControl, FieldInput } from '../../protocol/form-view.ts'

export type FileControl = Extract<FieldControl, { is: 'file' }>

type Field = Pick<FieldInput, 'text'> & { readonly control: FileControl }

/** Paths of uploads, and what stands for files that are stored, in order. */
export function pathsIn({ text: stored, control }: Field, text: string | null): readonly string[] {
  if (text === stored) return control.stored.map(({ path }) => path)
  if (text === null) return []
  return control.isList ? listIn(text) : [text]
}

/** A draft may hold a text from before the column was declared as a list. */
function listIn(text: string): readonly string[] {
  if (!text.startsWith('[')) return [text]
  const read: unknown = JSON.parse(text)
  return Array.isArray(read) ? read.map(String) : []
}

/** The text that stands for these; that which is stored where they are the same. */
export function textFor(field: Field, paths: readonly string[]): string | null {
  const { text: stored, control } = field
  const before = pathsIn(field, stored)
  if (paths.length === before.length && paths.every((path, at) => path === before[at]))
    return stored
  return control.isList ? JSON.stringify(paths) : (paths[0] ?? null)
}

/** The names of the files, a line each, as a draft keeps them: no name has several. */
export const labelFor = (names: readonly string[]): string =>
  names.map((name) => name.replace(/\s+/g, ' ')).join('\n')

export const namesIn = (label: string | null | undefined): readonly string[] =>
  label ? label.split('\n') : []
