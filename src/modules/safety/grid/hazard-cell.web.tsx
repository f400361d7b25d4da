import { useMemo } from 'react'
import { useSuggestedEmployees } from '#modules/documents/named-employees/suggestions.web.ts'
import { useDebouncedText } from '#web/grid/cell.tsx'
import { SuggestionInput } from '#web/grid/suggest.tsx'
import { searchHazards } from '../library/ranking.ts'
import { addGroup, type GridHazard, offerGroups } from './grid.ts'
import type { HazardGridActions, SuggestedHazard } from './state.web.ts'

interface PersonsProps {
  readonly value: string | null | undefined
  readonly onChange: (persons: string) => void
  /** Groups chosen in the step about people. */
  readonly groups: readonly string[]
  readonly className?: string
}

/** Cell for the people at risk from a hazard. Offers the groups of the assessment; other text can be typed as well. */
export function PersonsCell({ value, onChange, groups, ...more }: PersonsProps) {
  const { text, type, commit, onKeyDown } = useDebouncedText(value ?? '', onChange)
  return (
    <SuggestionInput
      label="Who might be harmed"
      offeredAs="Groups chosen for this assessment"
      max={500}
      value={text}
      onChange={type}
      onKeyDown={onKeyDown}
      offered={offerGroups(groups, text).map((group) => ({ value: group, name: group, note: '' }))}
      onChoose={(group) => type(addGroup(groups, text, group))}
      onBlur={commit}
      {...more}
    />
  )
}

interface ResponsibleProps extends Pick<Props, 'hazard' | 'actions'> {
  readonly className?: string
}

/** Cell for the person responsible. Offers the employees; other text can be typed as well. */
export function ResponsibleCell({ hazard: { key, head }, actions, ...more }: ResponsibleProps) {
  const { text, type, commit, onKeyDown } = useDebouncedText(head.responsible ?? '', (responsible) =>
    actions.change(key, { responsible }),
  )
  const isChosen = Boolean(head.responsibility) && text === head.responsible
  const found = useSuggestedEmployees(text, !isChosen)
  const offered = isChosen ? [] : found
  return (
    <SuggestionInput
      label="Responsible"
      offeredAs="Employees"
      max={500}
      value={text}
      onChange={type}
      onKeyDown={onKeyDown}
      offered={offered.map(({ id, name, jobtitlename = '' }) => ({ value: String(id), name, note: jobtitlename }))}
      onChoose={(id) => {
        commit()
        const one = offered.find((e) => String(e.id) === id)
        if (one) actions.change(key, { responsible: one.name, responsibility: one.id })
      }}
      {...more}
      onBlur={commit}
    />
  )
}

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
      searchHazards(offered, text.split(/\s+/).filter(Boolean))
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
