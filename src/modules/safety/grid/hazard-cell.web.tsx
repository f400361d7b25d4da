import { useMemo } from 'react'
import { useDebouncedText } from '#web/grid/cell.tsx'
import { SuggestionInput } from '#web/grid/suggest.tsx'
import { searchHazards } from '../library/ranking.ts'
import type { GridHazard } from './grid.ts'
import type { HazardGridActions } from './state.web.ts'
import { type SuggestedHazard, splitSearchWords } from './state.web.ts'

interface Props {
  readonly hazard: GridHazard
  readonly actions: HazardGridActions
  /** Library hazards that the document does not contain yet. */
  readonly offered: readonly SuggestedHazard[]
  readonly onChosen: () => void
  readonly className?: string
}

/** Cell for the name of a hazard, with suggestions from the library. */
export function HazardCell({ hazard, actions, offered, onChosen, ...more }: Props) {
  const { text, type, commit, onKeyDown } = useDebouncedText(hazard.head.hazardName ?? '', (hazardName) =>
    actions.change(hazard.key, { hazardName }),
  )
  const found = useMemo(
    () =>
      searchHazards(offered, splitSearchWords(text))
        .filter((h) => h.name !== text)
        .slice(0, 8),
    [offered, text],
  )
  return (
    <SuggestionInput
      label="Hazard"
      offeredAs="Add a hazard from the library"
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
