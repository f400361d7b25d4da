import { useEffect, useEffectEvent } from 'react'

/** A named action of the open screen. */
export interface ScreenAction {
  /** “Export leads as CSV” */
  readonly label: string
  readonly run: () => void
}

let offered: readonly (readonly ScreenAction[])[] = []

/** Offers actions of the open screen, while it is shown, in the command palette. */
export function useScreenActions(acts: readonly ScreenAction[]): void {
  const run = useEffectEvent((i: number) => acts[i]?.run())
  const labels = acts.map(({ label }) => label).join('\n')
  useEffect(() => {
    const group = labels ? labels.split('\n').map((label, i): ScreenAction => ({ label, run: () => run(i) })) : []
    offered = [...offered, group]
    return () => {
      offered = offered.filter((g) => g !== group)
    }
  }, [labels])
}

/**
 * The actions currently offered, the latest first: those for the selection in a list come before those for the list.
 */
export const currentScreenActions = (): readonly ScreenAction[] => offered.toReversed().flat()
