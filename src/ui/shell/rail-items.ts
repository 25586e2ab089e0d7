/** Reads and shortens the entries of the rail. */

import type { RailItem, ShellView } from '../../protocol/admin-view.ts'

type Listed = Pick<ShellView['groups'][number], 'items' | 'folds'>

/** The entries of a group or of a part that folds, with those inside of others. */
export const allItems = ({ items, folds = [] }: Listed): RailItem[] => [
  ...items,
  ...folds.flatMap(allItems),
]

/** Each table and view once. */
export const tablesOf = ({ groups }: Pick<ShellView, 'groups'>): RailItem[] =>
  groups.filter(({ kind }) => kind === 'tables' || kind === 'views').flatMap(allItems)

/** Two letters for a name: the initials of its first two words, or its first two letters. */
export function initials(name: string): string {
  const [first = '', second] = name.trim().split(/[\s_.-]+/)
  const letters = second ? [firstLetter(first), firstLetter(second)] : [...first].slice(0, 2)
  return letters.join('')
}

const firstLetter = (word: string) => [...word][0] ?? ''
