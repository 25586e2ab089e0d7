/** Long text in a block of its own, which scrolls, shows its length and can be copied. */

import { useRef } from 'react'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import type { ShapeProps } from './shapes.ts'
import { Signed } from '../parts/plain-text.tsx'

export function LongValue({ field: { label }, value }: ShapeProps<'long'>) {
  const { text, length, shown, isCode } = value
  const { record, cell } = useMessages()
  const notify = useNotify()
  const block = useRef<HTMLPreElement>(null)
  const copy = () =>
    void copyText(text, block.current).then((isDone) =>
      notify(isDone ? record.copied(label) : record.notCopied),
    )
  return (
    <div className="long">
      <pre
        ref={block}
        className={isCode ? 'code' : undefined}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        <Signed text={text} />
      </pre>
      <p>
        <span>{shown === undefined ? record.characters(length) : cell.cut(shown, length)}</span>
        <button type="button" className="plain needs-script" onClick={copy}>
          {record.copy}
          <span className="sr"> {label}</span>
        </button>
      </p>
    </div>
  )
}

/** Browsers allow the clipboard on secure origins only; elsewhere this selects the text instead. */
async function copyText(text: string, block: HTMLElement | null): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (block) getSelection()?.selectAllChildren(block)
    return false
  }
}
