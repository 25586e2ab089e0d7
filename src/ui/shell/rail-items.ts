/** Which tables the rail shows, and how it shortens their names. */

import type { ShellView } from '../../protocol/admin-view.ts'

type Groups = ShellView['groups']

/** The groups with what is called like `text`; a search does not list recent tables twice. */
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

/** Two letters for a name: of its first two words, or its first two. */
export function initials(name: string): string {
  const [first = '', second] = name.trim().split(/[\s_.-]+/)
  const letters = second ? [firstLetter(first), firstLetter(second)] : [...first].slice(0, 2)
  return letters.join('')
}

const firstLetter = (word: string) => [...word][0] ?? ''
