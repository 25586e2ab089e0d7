/** What a person has chosen for the last export, as this device remembers it. */

import {
  EXPORTED_COLUMNS,
  type ExportChoice,
  FILE_FORMATS,
  FIRST_EXPORT,
  REFERENCES,
} from '../../protocol/export.ts'

const NAME = 'tablewire-export'

type Store = Pick<Storage, 'getItem' | 'setItem'>

/** What is no choice, or is not kept, is that of the first export. `store` throws where the browser keeps nothing. */
export function lastChoice(store: () => Store = () => localStorage): ExportChoice {
  const [format, columns, references] = kept(store)
  return {
    format: FILE_FORMATS.find((one) => one === format) ?? FIRST_EXPORT.format,
    columns: EXPORTED_COLUMNS.find((one) => one === columns) ?? FIRST_EXPORT.columns,
    references: REFERENCES.find((one) => one === references) ?? FIRST_EXPORT.references,
  }
}

function kept(store: () => Store): readonly string[] {
  try {
    return (store().getItem(NAME) ?? '').split(' ')
  } catch {
    return []
  }
}

export function keepChoice(
  { format, columns, references }: ExportChoice,
  store: () => Store = () => localStorage,
): void {
  try {
    store().setItem(NAME, [format, columns, references].join(' '))
  } catch {
    // It is asked for again.
  }
}
