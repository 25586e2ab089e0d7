/** Puts text on the clipboard, also where the browser gives no permission to write there. */

/** `html`: the same for what takes more than text. Returns whether it is there. */
export async function copy(text: string, html?: string): Promise<boolean> {
  try {
    await (html === undefined
      ? navigator.clipboard.writeText(text)
      : navigator.clipboard.write([
          new ClipboardItem({
            'text/plain': new Blob([text], { type: 'text/plain' }),
            'text/html': new Blob([html], { type: 'text/html' }),
          }),
        ]))
    return true
  } catch {
    return copyAsKeysDo(text, html)
  }
}

/** Pages of insecure origins have no clipboard, but what a person copies there may be replaced. */
function copyAsKeysDo(text: string, html: string | undefined): boolean {
  let isDone = false
  const replace = (event: ClipboardEvent) => {
    if (!event.clipboardData) return
    event.clipboardData.setData('text/plain', text)
    if (html !== undefined) event.clipboardData.setData('text/html', html)
    event.preventDefault()
    isDone = true
  }
  document.addEventListener('copy', replace, { capture: true, once: true })
  document.execCommand('copy')
  document.removeEventListener('copy', replace, true)
  return isDone
}
