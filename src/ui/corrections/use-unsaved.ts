/** Which fields of the page of corrections hold something that is not saved. */

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { CorrectionField } from '../../protocol/corrections-view.ts'

export type Unsaved = {
  /** Parts whose fields hold something else than what is in effect. */
  readonly parts: ReadonlySet<string>
  /** Looks at the fields again, since one of them has changed. */
  look(): void
}

/** `drawn`: another value where the fields were drawn anew. */
export function useUnsaved(
  form: RefObject<HTMLFormElement | null>,
  fields: readonly CorrectionField[],
  drawn: unknown,
): Unsaved {
  const first = useRef<ReadonlyMap<string, string>>(new Map())
  // What was refused is not saved either.
  const refused = fields.filter(({ isUnsaved }) => isUnsaved).map(({ part }) => part)
  const [edited, setEdited] = useState<readonly string[]>([])
  const look = () => {
    const now = [...heldIn(form.current, 'now')]
    setEdited(now.filter(([part, held]) => held !== first.current.get(part)).map(([part]) => part))
  }
  useEffect(() => {
    first.current = heldIn(form.current, 'first')
    // Somebody may have typed before script ran.
    look()
    // oxlint-disable-next-line react/exhaustive-deps -- the fields as they were drawn
  }, [drawn])
  return { parts: new Set([...refused, ...edited]), look }
}

/** What each field holds, or was drawn with. Controls that are empty say nothing. */
function heldIn(form: HTMLFormElement | null, at: 'first' | 'now'): ReadonlyMap<string, string> {
  const held = new Map<string, string>()
  for (const field of form?.querySelectorAll<HTMLElement>('[data-part]') ?? []) {
    const texts = [...field.querySelectorAll<Control>('input, select')].map(
      (control) => [control.name, textOf(control, at)] as const,
    )
    held.set(field.dataset['part'] ?? '', JSON.stringify(texts.filter(([, text]) => text !== '')))
  }
  return held
}

type Control = HTMLInputElement | HTMLSelectElement

function textOf(control: Control, at: 'first' | 'now'): string {
  if (control instanceof HTMLSelectElement) {
    const option = [...control.options].find(({ defaultSelected }) => defaultSelected)
    return at === 'now' ? control.value : (option?.value ?? control.options[0]?.value ?? '')
  }
  if (control.type === 'checkbox') {
    const isTicked = at === 'now' ? control.checked : control.defaultChecked
    return isTicked ? control.value : ''
  }
  return at === 'now' ? control.value : control.defaultValue
}
