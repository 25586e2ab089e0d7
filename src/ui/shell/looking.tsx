/** Says that an administrator sees the admin as a role does, and lets them stop. */

import type { ShellComponent } from '../../protocol/admin-view.ts'
import { useComponent, usePage } from '../../react/use-component.ts'

/** A form, so that it works without script and loads the whole document. */
export function Looking({ shell }: { shell: string }) {
  const { looking } = useComponent<ShellComponent>(shell).view
  const { csrf } = usePage()
  return (
    looking && (
      <form className="looking" method="post" action={looking.href}>
        <input type="hidden" name="_token" value={csrf} />
        {looking.text}
        <button className="btn line">{looking.stop}</button>
      </form>
    )
  )
}
