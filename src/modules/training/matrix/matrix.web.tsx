import '@mantine/core/styles/SegmentedControl.layer.css'
import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconPlus, IconUsersPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { queryString } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { trainingRecord } from '../records/record.ts'
import css from '../training.module.css'
import { Exports } from './exports.web.tsx'
import { MatrixFilters } from './filters.web.tsx'
import { GapList } from './gaps.web.tsx'
import { TrainingGrid } from './grid.web.tsx'
import { type ChosenPair, findGaps, MATRIX_URL, type TrainingMatrix } from './matrix.ts'
import { OnePerson } from './one-person.web.tsx'

const RecordsDialog = lazyComponent(() => import('../records/records-dialog.web.tsx'))
const RecordDialog = lazyComponent(() => import('../records/record-dialog.web.tsx'))
const GroupDialog = lazyComponent(() => import('../records/group-dialog.web.tsx'))

const id = z.string().regex(/^\d*$/).default('')
const STATE = listUrlSchema({
  day: z
    .string()
    .regex(/^(\d{4}-\d{2}-\d{2})?$/)
    .default(''),
  site: id,
  department: id,
  course: id,
  show: z.enum(['gaps', 'matrix']).default('gaps'),
})

/** Training of the people in the reader’s charge: the gaps first, then the matrix. On a phone, one person at a time. */
export default function TrainingMatrixPage() {
  const actor = useActor()
  const queries = useQueryClient()
  const phone = useIsPhone()
  const [state, set] = useUrlState(STATE)
  const [pair, setPair] = useState<ChosenPair>()
  const [adding, setAdding] = useState<'one' | 'group'>()
  const { site, department: of, course, day, show } = state
  const asked = queryString({ day, site, department: of, course })
  const url = `${MATRIX_URL}${asked}`
  const answer = useQuery({ queryKey: [MATRIX_URL, url], ...urlQueryOptions<TrainingMatrix>(url) })
  const refresh = () => {
    for (const key of [MATRIX_URL, trainingRecord.url]) void queries.invalidateQueries({ queryKey: [key] })
  }
  const matrix = answer.data
  const gaps = matrix && findGaps(matrix)
  return (
    <Page
      title="Training"
      about="Who needs which course, and who was competent on the chosen day. Choose a cell to see its records."
      actions={
        <>
          {can(actor, 'create', trainingRecord) && (
            <>
              <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding('one')}>
                Record training
              </Button>
              <Button
                variant="default"
                leftSection={<IconUsersPlus size={16} aria-hidden />}
                onClick={() => setAdding('group')}
              >
                Record a group
              </Button>
            </>
          )}
          <Exports asked={asked} />
        </>
      }
    >
      <MatrixFilters state={state} onState={set} />
      {answer.isPending && <LoadingRows rows={8} />}
      {answer.isError && !matrix && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
      {matrix && gaps && (
        <Stack gap="md">
          <SegmentedControl
            aria-label="View"
            className={css.views ?? ''}
            data={[
              { value: 'gaps', label: `Gaps (${gaps.length})` },
              { value: 'matrix', label: phone ? 'By person' : 'Matrix' },
            ]}
            value={show}
            onChange={(value) => set({ show: value as typeof show })}
          />
          {!matrix.people.length ? (
            <EmptyState title="Nobody found">
              Change the filters, or ask for your account to be joined to you.
            </EmptyState>
          ) : show === 'gaps' ? (
            <GapList matrix={matrix} gaps={gaps} onOpen={setPair} />
          ) : !matrix.courses.length ? (
            <EmptyState title="No training needed or recorded">
              Add courses, then state under Requirements who needs them.
            </EmptyState>
          ) : phone ? (
            <OnePerson matrix={matrix} onOpen={setPair} />
          ) : (
            <TrainingGrid matrix={matrix} onOpen={setPair} />
          )}
          <Text size="sm" c="dimmed">
            {`${matrix.people.length} people, ${matrix.courses.length} courses. A person without a mark does not need the course.`}
          </Text>
        </Stack>
      )}
      {pair && matrix && (
        <RecordsDialog
          employee={matrix.people.find((one) => one.id === pair.employee)}
          course={matrix.courses.find((one) => one.id === pair.course)}
          onClose={() => setPair(undefined)}
          onChanged={refresh}
        />
      )}
      {adding === 'one' && <RecordDialog onClose={() => setAdding(undefined)} onSaved={refresh} />}
      {adding === 'group' && <GroupDialog onClose={() => setAdding(undefined)} onSaved={refresh} />}
    </Page>
  )
}
