/** Everything around a page's own content: rail, topbar, keys, notices and failures. */

import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { usePage } from '../../react/use-component.ts'
import { CommandsProvider, type Opened } from '../commands/commands.tsx'
import { ShellCommands } from '../commands/shell-commands.tsx'
import { FailureDialogs } from '../parts/failures.tsx'
import { loadOnce } from '../load-once.ts'
import { Toasts } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { useLoaded } from '../use-loaded.ts'
import { LookProvider } from './look.tsx'
import { Looking } from './looking.tsx'
import { Rail } from './rail.tsx'
import { Topbar } from './topbar.tsx'

const shellWork = loadOnce(() => import('./shell-work.ts'))

/** Draws the shell whose component has the id `shell`, and the page in it. */
export function Shell({ shell, children }: { shell: string; children: ReactNode }) {
  const messages = useMessages()
  const isTable = usePage().content.page === 'list'
  const work = useLoaded(shellWork)
  useEffect(() => work?.work(), [work])
  const [opened, setOpened] = useState<Opened | null>(null)
  // One that closes late must not close another, which it has opened.
  const close = useCallback((what: Opened) => setOpened((now) => (now === what ? null : now)), [])
  return (
    <LookProvider shell={shell}>
      <CommandsProvider open={setOpened}>
        <Toasts>
          <a className="skip" href="#main">
            {isTable ? messages.shell.skipToTable : messages.shell.skipToContent}
          </a>
          <div className="app">
            <Topbar shell={shell} />
            <Rail shell={shell} />
            <main className="page" id="main" tabIndex={-1}>
              <Looking shell={shell} />
              {children}
              {/* In the page, as all content is in a landmark. */}
              {work && <work.ShellParts />}
            </main>
          </div>
          <ShellCommands shell={shell} opened={opened} close={close} />
          <FailureDialogs />
        </Toasts>
      </CommandsProvider>
    </LookProvider>
  )
}
