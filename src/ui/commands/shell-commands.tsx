/** What can be done on every page, and the dialogs of commands and keys, loaded on first use. */

import { type ComponentType, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import { useComponent } from '../../react/use-component.ts'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { nextTheme, THEMES, useLook } from '../shell/look.tsx'
import { SIGN_OUT_ID } from '../shell/person-menu.tsx'
import { type Opened, useRegistry, useShellCommands } from './commands.tsx'
import type { Command } from './registry.ts'

export type DialogProps = {
  /** The id of the shell's component. */
  shell: string
  /** What was typed before the dialog was there; Enter is a line break. */
  typed: string
  onClose(): void
}

type Dialogs = { readonly [what in Opened]: ComponentType<DialogProps> }

const loadDialogs = async (): Promise<Dialogs> => {
  const { Palette, KeyMapDialog } = await import('./dialogs.tsx')
  return { palette: Palette, keys: KeyMapDialog }
}

type Props = { shell: string; opened: Opened | null; close(what: Opened): void }

export function ShellCommands({ shell, opened, close }: Props) {
  useAnywhere(shell)
  const dialogs = useDialogs(opened, close)
  const typed = useTypedMeanwhile(opened !== null && dialogs === null, close)
  const Dialog = opened && dialogs?.[opened]
  return Dialog ? (
    <Dialog shell={shell} typed={typed.current} onClose={() => close(opened)} />
  ) : null
}

/** The dialogs, once they were wanted and have come. */
function useDialogs(opened: Opened | null, close: (what: Opened) => void): Dialogs | null {
  const { commands } = useMessages()
  const notify = useNotify()
  const [dialogs, setDialogs] = useState<Dialogs | null>(null)
  const isWanted = opened !== null && dialogs === null
  useEffect(() => {
    if (!isWanted) return
    loadDialogs().then(setDialogs, () => {
      close(opened)
      notify(commands.notLoaded)
    })
  }, [isWanted, opened, close, notify, commands])
  return dialogs
}

/** Keeps what is typed while the palette is loading: none of it is a command of the page. */
function useTypedMeanwhile(isLoading: boolean, close: (what: Opened) => void) {
  const typed = useRef('')
  // Ends with what draws the palette, whose field has the focus then.
  useLayoutEffect(() => {
    if (!isLoading) return
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event
      if (ctrlKey || metaKey || altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (key === 'Escape') close('palette')
      else if (key === 'Backspace') typed.current = typed.current.replace(/.?\n*$/, '')
      else if (key === 'Enter') typed.current += '\n'
      else if (key.length === 1) typed.current += key
    }
    document.addEventListener('keydown', keep, { capture: true })
    return () => {
      document.removeEventListener('keydown', keep, { capture: true })
      // The palette has taken it, or was given up.
      typed.current = ''
    }
  }, [isLoading, close])
  return typed
}

/** The commands of every page. */
function useAnywhere(shell: string): void {
  const { commands, keys, shell: names } = useMessages()
  const { open } = useRegistry()
  const { theme, railCollapsed, choose } = useLook()
  const { links } = useComponent<ShellComponent>(shell).view
  const themes = THEMES.filter((other) => other !== theme).map((other): Command => ({
    ...{ label: names.theme(names.themes[other]), icon: other },
    run: () => choose('theme', other),
  }))
  const next = () => choose('theme', nextTheme(theme))
  useShellCommands(keys.anywhere, [
    { label: commands.open, keys: 'Mod+k', isKeyOnly: true, run: () => open('palette') },
    { label: keys.home, keys: 'g h', icon: 'rail', href: links.start },
    { label: names.account, icon: 'person', href: links.account },
    { label: keys.theme, keys: 't', isKeyOnly: true, run: next },
    ...themes,
    {
      ...{ label: railCollapsed ? names.expand : names.collapse, icon: 'rail' },
      run: () => choose('railCollapsed', !railCollapsed),
    },
    ...(links.signOut ? [{ label: names.signOut, icon: 'leave', run: pressSignOut } as const] : []),
    { label: keys.these, keys: '?', icon: 'about', run: () => open('keys') },
  ])
}

/** Signing out is a form, or a link of the host. */
const pressSignOut = () => document.getElementById(SIGN_OUT_ID)?.click()
