import { Anchor } from '@mantine/core'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import type { ChosenPair, MatrixCell, TrainingMatrix } from './matrix.ts'
import { CellChip } from './state-chip.web.tsx'

interface Props {
  readonly matrix: TrainingMatrix
  readonly gaps: readonly MatrixCell[]
  readonly onOpen: (pair: ChosenPair) => void
}

/** Training that is needed, and never took place or has expired; the oldest gap first. */
export function GapList({ matrix: { day, people, courses }, gaps, onOpen }: Props) {
  const personOf = new Map(people.map((one) => [one.id, one]))
  const courseOf = new Map(courses.map((one) => [one.id, one]))
  if (!gaps.length)
    return <EmptyState title="No gaps">Everybody has the training that is needed on this day.</EmptyState>
  return (
    <RowsTable
      label="Gaps"
      search
      empty="No gap fits the search."
      heads={['Person', 'Job title', 'Course', 'Status']}
      rows={gaps.map((gap) => {
        const person = personOf.get(gap.employee)
        const course = courseOf.get(gap.course)
        return {
          key: `${gap.employee} ${gap.course}`,
          words: `${person?.name} ${person?.jobTitle} ${person?.department} ${course?.name}`,
          cells: [
            <Anchor key="name" component="button" type="button" ta="start" onClick={() => onOpen(gap)}>
              {person?.name}
            </Anchor>,
            person?.jobTitle || '—',
            course?.name,
            <CellChip key="state" cell={gap} day={day} />,
          ],
        }
      })}
    />
  )
}
