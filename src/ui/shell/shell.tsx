/** Everything around a page's own content: rail, topbar, keys, notices and failures. */

import { type ReactNode, useState } from 'react'
import type { ShellComponent } from '../../protocol/admin-view.ts'
import { useRuntime } from '../../react/runtime-context.tsx'
import { useComponent, usePage } from '../../react/use-component.ts'
import { FailureDialogs } from '../parts/failures.tsx'
import { KeyMapDialog } from '../parts/key-map.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { useMessages } from '../parts/use-messages.ts'
import { LookProvider, nextTheme, useLook } from './look.tsx'
import { Rail } from './rail.tsx'
import { Topbar } from './topbar.tsx'

/** Draws the shell whose component has the id `shell`, and the page in it. */
export function Shell({ shell, children }: { shell: string; children: ReactNode }) {
  const messages = useMessages()
  const isTable = usePage().content.page === 'list'
  return (
    <LookProvider shell={shell}>
      <Toasts>
        <a className="skip" href="#main">
          {isTable ? messages.shell.skipToTable : messages.shell.skipToContent}
        </a>
        <div className="app">
          <Topbar shell={shell} />
          <Rail shell={shell} />
          <main className="page" id="main" tabIndex={-1}>
            {children}
          </main>
        </div>
        <ShellKeys shell={shell} />
        <FailureDialogs />
      </Toasts>
    </LookProvider>
  )
}

function ShellKeys({ shell }: { shell: string }) {
  const [isOpen, setOpen] = useState(false)
  const runtime = useRuntime()
  const { theme, choose } = useLook()
  const { links } = useComponent<ShellComponent>(shell).view
  useKeys({
    '?': () => setOpen(true),
    t: () => choose('theme', nextTheme(theme)),
    'g h': () => runtime.load(links.start),
  })
  return isOpen && <KeyMapDialog onClose={() => setOpen(false)} />
}
