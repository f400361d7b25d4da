import { useEffect, useEffectEvent } from 'react'

/** Named action of the open screen. */
export interface ScreenAction {
  /** Label in the command palette: “Export leads as CSV” */
  readonly label: string
  readonly run: () => void
}

let offered: readonly (readonly ScreenAction[])[] = []

/** Adds the calling screen's actions to the command palette while the screen is shown. */
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
 * Returns the actions currently offered, the latest first. Actions for selected rows therefore come before actions for
 * the list.
 */
export const currentScreenActions = (): readonly ScreenAction[] => offered.toReversed().flat()
