/** The switch between the light, dark and system themes. */

import { Icon } from '../parts/icon.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { nextTheme, useLook } from './look.tsx'

export function ThemeButton() {
  const { theme, choose } = useLook()
  const { shell } = useMessages()
  return (
    <button
      type="button"
      className="btn icon needs-script"
      aria-label={shell.theme(shell.themes[theme])}
      onClick={() => choose('theme', nextTheme(theme))}
    >
      <Icon name={theme} />
    </button>
  )
}
