import { useMemo } from 'react'
import { Suggest } from '#web/grid/suggest.tsx'
import { useTyped } from '#web/grid/use-typed.ts'
import { findHazards } from '../library/ranking.ts'
import type { GridHazard } from './grid.ts'
import type { GridActions } from './state.web.ts'
import { type OfferedHazard, wordsOf } from './suggestions.web.ts'

interface Props {
  readonly hazard: GridHazard
  readonly actions: GridActions
  /** Library hazards that the document does not have yet. */
  readonly offered: readonly OfferedHazard[]
  /** Called after a library hazard was chosen. */
  readonly onChosen: () => void
  readonly className?: string
}

/** Cell for the hazard's name, with suggestions from the library. */
export function HazardCell({ hazard, actions, offered, onChosen, ...more }: Props) {
  const { text, type, commit, onKeyDown } = useTyped(hazard.head.hazardName ?? '', (hazardName) =>
    actions.change(hazard.key, { hazardName }),
  )
  const found = useMemo(
    () =>
      findHazards(offered, wordsOf(text))
        .filter((h) => h.name !== text)
        .slice(0, 8),
    [offered, text],
  )
  return (
    <Suggest
      label="Hazard"
      offeredAs="Hazard: from the library"
      placeholder="What could cause harm?"
      max={500}
      value={text}
      onChange={type}
      onKeyDown={onKeyDown}
      offered={found.map((h) => ({ value: h['@id'], name: h.name, note: h.group.name }))}
      onChoose={(iri) => {
        commit()
        const one = found.find((h) => h['@id'] === iri)
        if (one) actions.choose(hazard.key, one)
        onChosen()
      }}
      {...more}
      onBlur={commit}
    />
  )
}
