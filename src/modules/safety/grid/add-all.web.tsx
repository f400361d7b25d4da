import { Button } from '@mantine/core'
import { IconBooks } from '@tabler/icons-react'
import css from './add-all.module.css'
import type { GridHazard } from './grid.ts'
import type { HazardGridActions } from './state.web.ts'
import { useSuggestedControls } from './state.web.ts'

interface Props {
  readonly hazard: GridHazard
  readonly actions: HazardGridActions
  readonly tabIndex?: number
}

/** Button that adds all of a hazard's library controls that are not yet in the document. */
export function AddAllControlsButton({ hazard, actions, tabIndex }: Props) {
  const free = useSuggestedControls(hazard)
  if (!free.length) return null
  return (
    <div className={css.offer}>
      <IconBooks size={16} aria-hidden />
      <span>{`In the library: ${free.map((c) => c.name).join(' · ')}`}</span>
      <Button
        size="compact-sm"
        variant="default"
        aria-keyshortcuts="Alt+A"
        {...(tabIndex === undefined ? {} : { tabIndex })}
        onClick={() => void actions.addAll(hazard.key)}
      >
        {free.length === 1 ? 'Add' : `Add all ${free.length}`}
      </Button>
    </div>
  )
}
