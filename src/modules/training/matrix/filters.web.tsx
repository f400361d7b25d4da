import { Button, NativeSelect } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { useState } from 'react'
import { can } from '#kernel/can.ts'
import { department } from '#modules/people/employees/employee.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { londonToday } from '#web/dates/uk-dates.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useIsPhone } from '#web/ui/is-phone.ts'
import { trainingCourse } from '../courses/course.ts'
import css from '../training.module.css'

interface MatrixFilterState {
  readonly day: string
  readonly site: string
  readonly department: string
  readonly course: string
}

interface Props {
  readonly state: MatrixFilterState
  readonly onState: (change: Partial<MatrixFilterState>) => void
}

/** Records that the filters offer. */
const OFFERED = { retired: 'false', pagination: false } as const

const optionsOf = (all: string, rows: readonly { readonly id: number; readonly name: string }[] | undefined) => [
  { value: '', label: all },
  ...(rows ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
]

/** Day, site, department and course of the matrix. On a phone, a button opens them as a sheet. */
export function MatrixFilters(props: Props) {
  const phone = useIsPhone()
  const [open, setOpen] = useState(false)
  if (!phone) return <Inputs {...props} />
  const { day, site, department: of, course } = props.state
  const count = [day, site, of, course].filter(Boolean).length
  return (
    <>
      <Button
        variant="default"
        className={css.views ?? ''}
        leftSection={<IconFilter size={16} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        {count ? `Filters (${count})` : 'Filters'}
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Filters">
        <Inputs {...props} />
      </Dialog>
    </>
  )
}

function Inputs({ state: { day, site, department: of, course }, onState }: Props) {
  const actor = useActor()
  const sites = useList(incidentSite, OFFERED, { enabled: can(actor, 'read', incidentSite) })
  const departments = useList(department, OFFERED, { enabled: can(actor, 'read', department) })
  const courses = useList(trainingCourse, OFFERED)
  return (
    <div className={css.filters}>
      <DateField
        label="On the day"
        value={day || londonToday()}
        onChange={(chosen) => onState({ day: chosen && chosen !== londonToday() ? chosen : '' })}
      />
      <NativeSelect
        label="Site"
        data={optionsOf('All sites', sites.data?.['hydra:member'])}
        value={site}
        onChange={(e) => onState({ site: e.currentTarget.value })}
      />
      {Boolean(departments.data?.['hydra:member'].length) && (
        <NativeSelect
          label="Department"
          data={optionsOf('All departments', departments.data?.['hydra:member'])}
          value={of}
          onChange={(e) => onState({ department: e.currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Course"
        data={optionsOf('All courses', courses.data?.['hydra:member'])}
        value={course}
        onChange={(e) => onState({ course: e.currentTarget.value })}
      />
    </div>
  )
}
