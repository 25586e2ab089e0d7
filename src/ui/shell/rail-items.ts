/** Filters the tables of the rail, and shortens their names. */

import type { ShellView } from '../../protocol/admin-view.ts'

type Groups = ShellView['groups']

/** The groups with tables whose names contain `text`; a search leaves out the recent ones. */
export function findTables(groups: Groups, text: string): Groups {
  const wanted = text.trim().toLowerCase()
  if (!wanted) return groups.filter(({ items }) => items.length > 0)
  return groups
    .filter(({ kind }) => kind !== 'recent')
    .map(({ kind, items }) => ({
      kind,
      items: items.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted)),
    }))
    .filter(({ items }) => items.length > 0)
}

/** Two letters for a name: the initials of its first two words, or its first two letters. */
export function initials(name: string): string {
  const [first = '', second] = name.trim().split(/[\s_.-]+/)
  const letters = second ? [firstLetter(first), firstLetter(second)] : [...first].slice(0, 2)
  return letters.join('')
}

const firstLetter = (word: string) => [...word][0] ?? ''
