/** A person's preferences for the look: applied at once, then stored with their account. */

import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react'
import type { Calls, TypesOf } from '../../protocol/component-types.ts'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import type { Preferences, Theme } from '../../protocol/page.ts'
import { useComponent, usePage } from '../../react/use-component.ts'

export type Look = Preferences & {
  choose<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void
}

const LookContext = createContext<Look | null>(null)

/** The current look. Throws outside a `LookProvider`. */
export function useLook(): Look {
  const look = useContext(LookContext)
  if (!look) throw new Error('No look. Wrap the tree in <LookProvider shell={…}>.')
  return look
}

/** Holds the look of the page; `shell` is the id of the component that stores it. */
export function LookProvider({ shell, children }: { shell: string; children: ReactNode }) {
  const stored = usePage().preferences
  const [chosen, setChosen] = useState<Chosen>({ over: stored, look: {}, unstored: 0 })
  // A page that was fetched later holds what is stored by now, perhaps by another tab.
  if (chosen.over !== stored && chosen.unstored === 0)
    setChosen({ over: stored, look: {}, unstored: 0 })
  const { call } = useComponent<ShellComponent>(shell)
  const choose = useCallback<Look['choose']>(
    (name, value) => {
      const count = (by: number) => (all: Chosen) => ({ ...all, unstored: all.unstored + by })
      setChosen(({ look, ...all }) => count(1)({ ...all, look: { ...look, [name]: value } }))
      // If storing fails, the preference still applies to this page, which shows the failure.
      call
        // A name comes with a value of its own, which its two parameters do not say.
        .prefer(...([name, value] as Preferred))
        .catch(() => undefined)
        .finally(() => setChosen(count(-1)))
    },
    [call],
  )
  const preferences = { ...stored, ...chosen.look }
  const { theme, density } = preferences
  useEffect(() => {
    Object.assign(document.documentElement.dataset, { theme, density })
  }, [theme, density])
  return <LookContext value={{ ...preferences, choose }}>{children}</LookContext>
}

/** What was chosen since the page was fetched, and how many choices are not stored yet. */
type Chosen = {
  readonly over: Preferences
  readonly look: Partial<Preferences>
  readonly unstored: number
}

/** A preference's name and value; TypeScript cannot infer that the two belong together. */
type Preferred = Parameters<Calls<TypesOf<ShellComponent>>['prefer']>

export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** The theme after this one, in a cycle. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
