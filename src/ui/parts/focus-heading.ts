/** Moves the focus to the heading of the page, as after a move to another page: what had it goes. */
export function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('h1')
  if (heading) heading.tabIndex = -1
  heading?.focus()
}
