import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { LoadingRows, SectionError } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { employee } from '../employees/employee.ts'
import type { employeeRecord } from '../employees/employee-record.ts'
import css from '../people.module.css'
import { useRefreshEmployees } from '../refresh.web.ts'
import { employeeJob } from './employee-job.ts'

const JobDialog = lazyComponent(async () => ({ default: (await import('./job-dialog.web.tsx')).JobDialog }))

type Job = RecordOf<typeof employeeJob>

interface Props {
  readonly record: RecordOf<typeof employeeRecord>
}

const SHOWN_JOBS = 50

/** Jobs of an employee with their first days, the latest first, and changes dated ahead. */
export function JobHistory({ record }: Props) {
  const actor = useActor()
  const refresh = useRefreshEmployees()
  const [isPlanning, setPlanning] = useState(false)
  const [removing, setRemoving] = useState<Job>()
  const list = useList(employeeJob, {
    employee: iriOf(employee, record.id),
    itemsPerPage: SHOWN_JOBS,
    'order[from]': 'desc',
  })
  if (list.error) return <SectionError error={list.error} onRetry={list.refetch} />
  if (!list.data) return <LoadingRows rows={3} />
  const remove = async () => {
    if (removing) await callApi('DELETE', removing['@id'])
    refresh()
    setRemoving(undefined)
  }
  return (
    <>
      <ol className={css.history}>
        {list.data['hydra:member'].map((job) => (
          <li key={job.id}>
            <JobEntry job={job} />
            {!job.applied && can(actor, 'delete', employeeJob) && (
              <Button size="compact-md" variant="subtle" onClick={() => setRemoving(job)}>
                Remove
              </Button>
            )}
          </li>
        ))}
      </ol>
      {can(actor, 'create', employeeJob) && !record.retired && (
        <Button variant="default" onClick={() => setPlanning(true)}>
          Change job from a day
        </Button>
      )}
      {isPlanning && <JobDialog record={record} onClose={() => setPlanning(false)} />}
      <ConfirmDialog
        opened={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        onConfirm={remove}
        title="Remove planned change"
        question="The change will not take effect."
        action="Remove"
      />
    </>
  )
}

function JobEntry({ job }: { readonly job: Job }) {
  const { from, event, applied, refusal, jobtitlename, department, manager, site } = job
  const what = [jobtitlename, department?.name, site?.name, manager && `reports to ${manager.name}`]
  return (
    <div>
      <strong>{from ? formatIsoAsUkDate(from) : 'Start date not stated'}</strong>{' '}
      {applied ? (
        employeeJob.fields.event.options?.find(({ value }) => value === event)?.label
      ) : (
        <StatusChip meaning={refusal ? 'stop' : 'info'}>{refusal ? 'Not possible' : 'Planned'}</StatusChip>
      )}
      <p className={page.quiet}>{what.filter(Boolean).join(', ') || 'No details of the job'}</p>
      {refusal && (
        <Text size="sm" c="red">
          {refusal}
        </Text>
      )}
    </div>
  )
}
