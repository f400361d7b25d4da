import { notifyManager, type Query, useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import css from './reveal-together.module.css'

/** Maximum time to wait in milliseconds. After that, the page is shown with what has loaded. */
const MAX_WAIT_MS = 5_000

/** Filter for queries that have had neither a response nor a failure yet. */
const FIRST = { predicate: ({ state }: Query) => state.status === 'pending' && state.fetchFailureCount === 0 }

const Hold = createContext<(() => () => void) | undefined>(undefined)

/** Placeholder for a component in its own file. It makes `SimultaneousReveal` wait for the component too. */
export function LazyComponentPlaceholder() {
  const hold = useContext(Hold)
  useLayoutEffect(() => hold?.(), [hold])
  return null
}

interface Props {
  /** Content shown while waiting. */
  readonly waiting: ReactNode
  readonly children: ReactNode
}

/**
 * Shows its children together once all their first requests have a response, so that no child moves another. Meanwhile,
 * the children are laid out and send their requests. Requests that have failed or are waiting for a connection are
 * ignored.
 */
export function SimultaneousReveal({ waiting, children }: Props) {
  const [shown, setShown] = useState(false)
  const held = useRef(0)
  const [released, release] = useState(0)
  const hold = useCallback(() => {
    held.current++
    return () => {
      held.current--
      release((times) => times + 1)
    }
  }, [])
  const client = useQueryClient()
  useEffect(() => {
    if (shown) return
    const look = () => {
      if (held.current === 0 && client.isFetching(FIRST) === 0) setShown(true)
    }
    // A response may have arrived that is not rendered yet. Its component is notified first, renders the response, and
    // may then send more requests, so the check runs after that.
    let drawn: ReturnType<typeof setTimeout> | undefined
    const lookOnceDrawn = () => {
      clearTimeout(drawn)
      notifyManager.schedule(() => {
        clearTimeout(drawn)
        drawn = setTimeout(look)
      })
    }
    // By now, the children have sent their first requests.
    if (released === 0) look()
    else lookOnceDrawn()
    const leave = client.getQueryCache().subscribe(lookOnceDrawn)
    return () => {
      leave()
      clearTimeout(drawn)
    }
  }, [released, shown, client])
  useEffect(() => {
    const late = setTimeout(() => setShown(true), MAX_WAIT_MS)
    return () => clearTimeout(late)
  }, [])
  return (
    <Hold.Provider value={hold}>
      <div className={css.stack}>
        <div className={css.content} data-waits={!shown || undefined}>
          {children}
        </div>
        {!shown && waiting}
      </div>
    </Hold.Provider>
  )
}
