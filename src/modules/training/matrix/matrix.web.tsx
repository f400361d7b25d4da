import { Button, NativeSelect, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload, IconFileTypePdf, IconPlus, IconUsersPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { department } from '#modules/people/employees/employee.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { queryString } from '#web/api/client.ts'
import { fetchFile, saveToDisk } from '#web/api/file.ts'
import { useActor } from '#web/api/me.ts'
import { openPdf } from '#web/api/pdf.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainingRecord } from '../records/record.ts'
import { GapList } from './gaps.web.tsx'
import { TrainingGrid } from './grid.web.tsx'
import css from './matrix.module.css'
import { findGaps, MATRIX_URL, type MatrixCell, type TrainingMatrix } from './matrix.ts'
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

/** Records that the filters offer. */
const OFFERED = { retired: 'false', pagination: false } as const

/** Pair of a person and a course whose records are shown. */
export type ChosenPair = Pick<MatrixCell, 'employee' | 'course'>

const optionsOf = (all: string, rows: readonly { readonly id: number; readonly name: string }[] | undefined) => [
  { value: '', label: all },
  ...(rows ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
]

/** Training of the people whom the reader may see: the gaps first, then the matrix. On a phone, one person at a time. */
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
  const [sites, departments, courses] = [
    useList(incidentSite, OFFERED, { enabled: can(actor, 'read', incidentSite) }),
    useList(department, OFFERED, { enabled: can(actor, 'read', department) }),
    useList(trainingCourse, OFFERED),
  ]
  const file = useMutation({
    mutationFn: async (format: 'csv' | 'xlsx') => {
      const { bytes, name } = await fetchFile(`${MATRIX_URL}/export.${format}${asked}`)
      saveToDisk(bytes, name ?? `training.${format}`)
    },
    onError: (error) => toast.failed(error),
  })
  const pdf = useMutation({
    mutationFn: () => openPdf(`${MATRIX_URL}/export.pdf${asked}`),
    onError: (error) => toast.failed(error),
  })
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
          {(['csv', 'xlsx'] as const).map((format) => (
            <Button
              key={format}
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={file.isPending && file.variables === format}
              onClick={() => file.mutate(format)}
            >
              {format === 'csv' ? 'CSV' : 'Excel'}
            </Button>
          ))}
          <Button
            variant="default"
            leftSection={<IconFileTypePdf size={16} aria-hidden />}
            loading={pdf.isPending}
            onClick={() => pdf.mutate()}
          >
            PDF
          </Button>
        </>
      }
    >
      <div className={css.filters}>
        <DateField
          label="On the day"
          value={day || londonToday()}
          onChange={(chosen) => set({ day: chosen && chosen !== londonToday() ? chosen : '' })}
        />
        <NativeSelect
          label="Site"
          data={optionsOf('All sites', sites.data?.['hydra:member'])}
          value={site}
          onChange={(e) => set({ site: e.currentTarget.value })}
        />
        {Boolean(departments.data?.['hydra:member'].length) && (
          <NativeSelect
            label="Department"
            data={optionsOf('All departments', departments.data?.['hydra:member'])}
            value={of}
            onChange={(e) => set({ department: e.currentTarget.value })}
          />
        )}
        <NativeSelect
          label="Course"
          data={optionsOf('All courses', courses.data?.['hydra:member'])}
          value={course}
          onChange={(e) => set({ course: e.currentTarget.value })}
        />
      </div>
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
