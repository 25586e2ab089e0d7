/** FilePond's own texts and icons, in the words of the page. */

import type { UploadWords } from '../../messages/upload/words.ts'
import { ICONS } from './icons.ts'

/** What FilePond says itself, most of it read out alone. */
export function labelsOf({ spoken, remove, retry, cancel }: UploadWords) {
  const body = (error: { readonly body?: string }) => error.body ?? ''
  return {
    labelIdle: '',
    labelFileCountSingular: spoken.file,
    labelFileCountPlural: spoken.files,
    labelFileLoading: spoken.loading,
    labelFileAdded: spoken.added,
    labelFileLoadError: spoken.loadError,
    labelFileRemoved: spoken.removed,
    labelFileRemoveError: spoken.removeError,
    labelFileProcessing: spoken.sending,
    labelFileProcessingComplete: spoken.complete,
    labelFileProcessingAborted: spoken.cancelled,
    labelFileProcessingError: body,
    labelFileProcessingRevertError: body,
    ...{ labelTapToCancel: '', labelTapToRetry: '', labelTapToUndo: '' },
    labelButtonRemoveItem: remove,
    labelButtonAbortItemLoad: cancel,
    labelButtonRetryItemLoad: retry,
    labelButtonAbortItemProcessing: cancel,
    labelButtonUndoItemProcessing: remove,
    labelButtonRetryItemProcessing: retry,
    ...{ iconRemove: ICONS.remove, iconRetry: ICONS.retry, iconUndo: ICONS.remove },
  }
}
