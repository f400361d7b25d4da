import { useIsFetching, useIsMutating } from '@tanstack/react-query'
import { useNavigation } from 'react-router'
import classes from './progress-bar.module.css'
import { useStanding } from './standing.ts'

/** A thin bar while anything is outstanding; it completes when nothing is. */
export function ProgressBar() {
  const fetching = useIsFetching()
  const mutating = useIsMutating()
  const { state } = useNavigation()
  const busy = fetching + mutating > 0 || state !== 'idle'
  useStanding(busy)
  return (
    <div className={classes.bar} aria-hidden="true" data-progress={busy ? 'busy' : 'complete'}>
      <div />
    </div>
  )
}
