import { useMemo } from 'react'
import type { GridActions } from './grid-state.web.ts'
import { matching, type OfferedHazard } from './offer.web.ts'
import type { GridHazard } from './risk-grid.ts'
import { Suggest } from './suggest.web.tsx'

interface Props {
  readonly hazard: GridHazard
  readonly actions: GridActions
  /** Those of the library that the document hasn't got. */
  readonly offered: readonly OfferedHazard[]
  /** After one of the library's was chosen. */
  readonly onChosen: () => void
  readonly onBlur?: () => void
  readonly className?: string
}

/** The hazard's name, with what the library has of that kind. */
export function HazardCell({ hazard, actions, offered, onChosen, ...more }: Props) {
  const name = hazard.head.hazardName ?? ''
  const found = useMemo(
    () => matching(offered, name, (h) => `${h.name} ${h.group.name}`, 8).filter((h) => h.name !== name),
    [offered, name],
  )
  return (
    <Suggest
      label="Hazard"
      placeholder="What could cause harm?"
      max={500}
      value={name}
      onChange={(hazardName) => actions.change(hazard.key, { hazardName })}
      offered={found.map((h) => ({ value: h['@id'], name: h.name, note: h.group.name }))}
      onChoose={(iri) => {
        const one = found.find((h) => h['@id'] === iri)
        if (one) actions.choose(hazard.key, one)
        onChosen()
      }}
      {...more}
    />
  )
}
