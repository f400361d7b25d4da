import { Anchor, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { packState } from '#kernel/packs.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { employeeRecord } from '#modules/people/employees/employee-record.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import layout from '#web/ui/page.module.css'
import css from '../training.module.css'
import { MATRIX_URL, type MatrixCell, TRAINING_STATES, type TrainingMatrix } from './matrix.ts'
import { CellChip } from './state-chip.web.tsx'

const RecordsDialog = lazyComponent(() => import('../records/records-dialog.web.tsx'))

const urgency = ({ state }: MatrixCell): number => TRAINING_STATES.findIndex(({ value }) => value === state)

/** Training of an employee in their record, the most urgent first. Nothing without the product. */
export default function TrainingPanel({ record }: { readonly record: RecordOf<typeof employeeRecord> }) {
  const actor = useActor()
  const url = `${MATRIX_URL}?employee=${record.id}`
  const answer = useQuery({
    queryKey: [MATRIX_URL, url],
    ...urlQueryOptions<TrainingMatrix>(url),
    enabled: packState(actor, 'safety') !== 'none',
  })
  const [open, setOpen] = useState<MatrixCell>()
  const matrix = answer.data
  if (!matrix?.people.length) return null
  const courseOf = new Map(matrix.courses.map((one) => [one.id, one]))
  return (
    <section className={layout.card} aria-label="Training">
      <Title order={2}>Training</Title>
      {!matrix.cells.length && <Text size="sm">No training is needed or recorded.</Text>}
      <ul className={css.panel}>
        {matrix.cells
          .toSorted((a, b) => urgency(a) - urgency(b))
          .map((cell) => (
            <li key={cell.course}>
              <Anchor component="button" type="button" ta="start" onClick={() => setOpen(cell)}>
                {courseOf.get(cell.course)?.name}
              </Anchor>
              <CellChip cell={cell} day={matrix.day} />
            </li>
          ))}
      </ul>
      {open && (
        <RecordsDialog
          employee={matrix.people[0]}
          course={courseOf.get(open.course)}
          onClose={() => setOpen(undefined)}
          onChanged={() => void answer.refetch()}
        />
      )}
    </section>
  )
}
