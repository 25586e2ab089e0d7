/** A button for pages of your own. */

import type { ButtonHTMLAttributes } from 'react'

export type ButtonProps = Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'style' | 'type'
> & {
  /** `main`: what the page is for; `line`: a visible second choice; `quiet`: words alone. */
  look?: 'main' | 'line' | 'quiet'
  /** `submit` works without script, in a form; a button of any other type is hidden until it has loaded. */
  type?: 'button' | 'submit'
}

const LOOKS = { main: ' main', line: ' line', quiet: '' }

export const Button = ({ look = 'line', type = 'button', ...props }: ButtonProps) => (
  <button
    {...props}
    type={type}
    className={`btn${LOOKS[look]}${type === 'submit' ? '' : ' needs-script'}`}
  />
)
