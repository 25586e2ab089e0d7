/** What a person chose about the look: applied at once, then kept with their account. */

import { createContext, type ReactNode, useCallback, useContext, useState } from 'react'
import type { Calls, TypesOf } from '../../protocol/component-types.ts'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import type { Preferences, Theme } from '../../protocol/page.ts'
import { useComponent, usePage } from '../../react/use-component.ts'

export type Look = Preferences & {
  choose<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void
}

const LookContext = createContext<Look | null>(null)

/** The look in force. Throws outside a `LookProvider`. */
export function useLook(): Look {
  const look = useContext(LookContext)
  if (!look) throw new Error('No look. Wrap the tree in <LookProvider shell={…}>.')
  return look
}

/** Holds the look of the page; `shell` is the id of the component that keeps it. */
export function LookProvider({ shell, children }: { shell: string; children: ReactNode }) {
  const [preferences, setPreferences] = useState(usePage().preferences)
  const { call } = useComponent<ShellComponent>(shell)
  const choose = useCallback<Look['choose']>(
    (name, value) => {
      setPreferences((all) => ({ ...all, [name]: value }))
      if (name === 'theme' || name === 'density')
        document.documentElement.dataset[name] = String(value)
      // A preference that was not kept holds for this page; the failure itself is shown.
      call.prefer(...([name, value] as Preferred)).catch(() => undefined)
    },
    [call],
  )
  return <LookContext value={{ ...preferences, choose }}>{children}</LookContext>
}

/** A name with a value of its own; TypeScript cannot tell that from the two apart. */
type Preferred = Parameters<Calls<TypesOf<ShellComponent>>['prefer']>

const THEMES: readonly Theme[] = ['system', 'light', 'dark']

/** The theme after this one, round and round. */
export const nextTheme = (theme: Theme): Theme =>
  THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system'
