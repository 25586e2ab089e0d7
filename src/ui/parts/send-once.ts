/** Keeps a form that the browser sends from being sent twice. */

/** For `onSubmit`: a second press would take the place of the first answer, which may show something once. */
export function sendOnce({ currentTarget }: { readonly currentTarget: HTMLFormElement }): void {
  const button = currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')
  if (!button) return
  button.disabled = true
  // Whoever goes back may find the page as they left it.
  addEventListener('pageshow', () => void (button.disabled = false), { once: true })
}
