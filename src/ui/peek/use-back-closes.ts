/** On a phone, Back closes the row that is peeked at, as it closes any sheet there. */

import { useCallback, useEffect } from 'react'

const HASH = '#peek'

const isSheet = () => matchMedia('(max-width: 640px)').matches

/**
 * While the sheet is open, it has an entry of the history: an anchor of the page, so that nothing is loaded. Returns
 * what goes back over it, if it is the one that is shown.
 */
export function useBackCloses(isOpen: boolean, close: () => void): () => void {
  useEffect(() => {
    if (isOpen && isSheet() && location.hash !== HASH) location.hash = HASH
  }, [isOpen])
  useEffect(() => {
    if (!isOpen) return
    const follow = () => location.hash !== HASH && close()
    addEventListener('popstate', follow)
    return () => removeEventListener('popstate', follow)
  }, [isOpen, close])
  return useCallback(() => location.hash === HASH && history.back(), [])
}
