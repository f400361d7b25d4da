import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import classes from './shell.module.css'

/** A thin bar while anything is outstanding; it completes when nothing is. A change that waits for a connection doesn't count. */
export function ProgressBar() {
  const fetching = useIsFetching()
  const mutating = useIsMutating({ predicate: (m) => !m.state.isPaused })
  const { state } = useNavigation()
  const busy = fetching + mutating > 0 || state !== 'idle'
  const [done, setDone] = useState(0)
  useEffect(() => {
    if (!busy) {
      setDone((d) => (d > 0 ? 1 : 0))
      const reset = setTimeout(() => setDone(0), 600)
      return () => clearTimeout(reset)
    }
    setDone(0.15)
    const creep = setInterval(() => setDone((d) => d + (0.92 - d) * 0.25), 300)
    return () => clearInterval(creep)
  }, [busy])
  return (
    <div className={classes.bar} aria-hidden="true" data-progress={busy ? 'busy' : 'complete'}>
      <div style={{ transform: `scaleX(${done})`, opacity: done > 0 && done < 1 ? 1 : 0 }} />
    </div>
  )
}
