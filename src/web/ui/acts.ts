import { useEffect, useEffectEvent } from 'react'

/** Something that the open screen can do, by its name. */
export interface Act {
  /** "Export leads as CSV" */
  readonly label: string
  readonly run: () => void
}

let offered: readonly (readonly Act[])[] = []

/** What can be done on the open screen, found by its name wherever screens and records are, while it is there. */
export function useActs(acts: readonly Act[]): void {
  const run = useEffectEvent((i: number) => acts[i]?.run())
  const labels = acts.map(({ label }) => label).join('\n')
  useEffect(() => {
    const group = labels ? labels.split('\n').map((label, i): Act => ({ label, run: () => run(i) })) : []
    offered = [...offered, group]
    return () => {
      offered = offered.filter((g) => g !== group)
    }
  }, [labels])
}

/** What is offered now, the latest first: what was chosen in a list stands before what the list can do at all. */
export const actsHere = (): readonly Act[] => offered.toReversed().flat()
