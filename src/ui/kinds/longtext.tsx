/** Long text in a block of its own, which scrolls, shows its length and can be copied. */

import { useContext, useRef, useState } from 'react'
import type { FieldValue } from '../../protocol/record-view.ts'
import { usePage } from '../../react/use-component.ts'
import { Signed } from '../parts/plain-text.tsx'
import { useNotify } from '../parts/toasts.tsx'
import { useMessages } from '../parts/use-messages.ts'
import { type AskWhole, WholeValues } from '../record/whole-values.ts'
import type { ShapeProps } from './shapes.ts'

type Long = Extract<FieldValue, { is: 'long' }>

export function LongValue({ field: { name, label }, value }: ShapeProps<'long'>) {
  const { shown, getWhole } = useWhole(name, value)
  const { text, length, isCode } = shown
  const isCut = shown.shown !== undefined && getWhole !== null
  const { record, cell } = useMessages()
  const notify = useNotify()
  const block = useRef<HTMLPreElement>(null)
  const copy = async () => {
    // The page's failure display says what went wrong.
    const whole = isCut ? await getWhole().catch(() => null) : shown
    if (!whole) return
    const isDone = await copyText(whole.text, block.current)
    notify(isDone ? record.copied(label) : record.notCopied)
  }
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
        <span>
          {shown.shown === undefined ? record.characters(length) : cell.cut(shown.shown, length)}
        </span>
        {isCut && (
          <ShowAll
            label={label}
            show={() => {
              // The button goes, and would take the focus with it.
              block.current?.focus()
              getWhole().catch(() => undefined)
            }}
          />
        )}
        <button type="button" className="plain needs-script" onClick={() => void copy()}>
          {record.copy}
          <span className="sr"> {label}</span>
        </button>
      </p>
    </div>
  )
}

function ShowAll({ label, show }: { label: string; show(): void }) {
  const { record } = useMessages()
  const { url } = usePage()
  return (
    <>
      <button
        type="button"
        className="plain needs-script"
        aria-label={record.showAllOf(label)}
        onClick={show}
      >
        {record.showAll}
      </button>
      <noscript>
        <a className="plain" href={`${url}${url.includes('?') ? '&' : '?'}whole=on`}>
          {record.showAll}
        </a>
      </noscript>
    </>
  )
}

/** The value, whole once somebody has asked for it; `getWhole` is `null` where it cannot be had. */
function useWhole(name: string, value: Long) {
  const ask: AskWhole | null = useContext(WholeValues)
  const [got, setGot] = useState<{ of: Long; whole: Long } | null>(null)
  const getWhole = async (): Promise<Long | null> => {
    const whole = await ask?.(name)
    if (whole?.is !== 'long') return null
    setGot({ of: value, whole })
    return whole
  }
  if (got?.of === value) return { shown: got.whole, getWhole: null }
  return { shown: value, getWhole: ask && getWhole }
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
