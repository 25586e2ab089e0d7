/** The actions of saved views, and their copy. */

import type { SavedViewsComponent } from '../../protocol/saved-views.ts'
import { useComponent } from '../../react/use-component.ts'
import { useBulkWords } from '../bulk/use-bulk-words.ts'
import { VIEWS } from './open-view.ts'

export const useSavedViews = () => useComponent<SavedViewsComponent>(VIEWS).call

export const useViewWords = () => useBulkWords().views
