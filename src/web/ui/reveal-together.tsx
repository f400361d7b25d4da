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

/** After so long a page is shown with what there is. */
const MAX_WAIT_MS = 5_000

/** What has no answer yet, and has not failed to get one. */
const FIRST = { predicate: ({ state }: Query) => state.status === 'pending' && state.fetchFailureCount === 0 }

const Hold = createContext<(() => () => void) | undefined>(undefined)

/** Stands where something comes in a file of its own: what is shown together waits for that too. */
export function AwaitedPart() {
  const hold = useContext(Hold)
  useLayoutEffect(() => hold?.(), [hold])
  return null
}

interface Props {
  /** Stands in its place meanwhile. */
  readonly waiting: ReactNode
  readonly children: ReactNode
}

/**
 * Shows what is inside together: when all that it asks for at first has come, so that no part moves the others. It is laid out and
 * asks meanwhile; what fails, or waits for the connection, is not waited for.
 */
export function RevealTogether({ waiting, children }: Props) {
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
    // An answer may be there that nobody has drawn: whoever asked is told of it first, draws it, and by then has asked for more.
    let drawn: ReturnType<typeof setTimeout> | undefined
    const lookOnceDrawn = () =>
      notifyManager.schedule(() => {
        clearTimeout(drawn)
        drawn = setTimeout(look)
      })
    // Those inside have begun to ask by now.
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
