/** A person's preferences for the look: applied at once, then stored with their account. */

import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
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
  const [preferences, setPreferences] = useState(usePage().preferences)
  const { call } = useComponent<ShellComponent>(shell)
  const choose = useCallback<Look['choose']>(
    (name, value) => {
      setPreferences((all) => ({ ...all, [name]: value }))
      if (name === 'theme' || name === 'density')
        document.documentElement.dataset[name] = String(value)
      // If storing fails, the preference still applies to this page, which shows the failure.
      call.prefer(...([name, value] as Preferred)).catch(() => undefined)
    },
    [call],
  )
  return <LookContext value={{ ...preferences, choose }}>{children}</LookContext>
}

/** A preference's name and value; TypeScript cannot infer that the two belong together. */
type Preferred = Parameters<Calls<TypesOf<ShellComponent>>['prefer']>

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** The theme after this one, in a cycle. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
