import '@mantine/core/styles/NumberInput.layer.css'
import { Button, NumberInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { EmptyState } from '#web/ui/states.tsx'
import { leavePayPeriod } from '../leave/work-patterns.ts'
import { formatLeave } from './report.ts'

const LIST = listUrlSchema({})
const MINUTES_PER_HOUR = 60

type Row = RecordOf<typeof leavePayPeriod>

/** Input of hours for a field of minutes. */
const HoursInput: CustomInput = ({ value, onChange, error, readOnly, id }) => (
  <NumberInput
    {...(id ? { id } : {})}
    label="Hours worked (Required)"
    description="Hours with decimals, such as 37.5"
    min={0}
    decimalScale={2}
    value={typeof value === 'number' ? value / MINUTES_PER_HOUR : ''}
    onChange={(hours) => onChange(typeof hours === 'number' ? Math.round(hours * MINUTES_PER_HOUR) : null)}
    error={error}
    readOnly={readOnly ?? false}
  />
)

const INPUTS: Readonly<Record<string, CustomInput>> = { minutes: HoursInput }

/** Hours worked by irregular-hours and part-year workers, from which their leave accrues by pay period. */
export function HoursWorked() {
  const [state, setState] = useState(() => LIST.parse({}))
  const [open, setOpen] = useState<Row | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <div className={page.card}>
      <h2>Hours worked in pay periods</h2>
      <p className={page.quiet}>
        For irregular hours and part-year workers: leave is 12.07 % of the hours of each pay period.
      </p>
      <DataList
        resource={leavePayPeriod}
        label="Hours worked in pay periods"
        state={state}
        onState={(change: Partial<typeof state>) => setState((now) => ({ ...now, ...change }))}
        search={false}
        actions={
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Add hours
          </Button>
        }
        columns={[
          { key: 'employee', link: true, render: ({ employee }: Row) => employee.name },
          { key: 'until', render: ({ until }: Row) => formatIsoAsUkDate(until) },
          {
            key: 'minutes',
            title: 'Hours worked',
            align: 'right',
            render: ({ minutes }: Row) => formatLeave(minutes, 'hours', 0),
          },
        ]}
        onOpen={setOpen}
        empty={
          <EmptyState title="No hours yet">
            Assign irregular hours to an employee, then add the hours of each pay period.
          </EmptyState>
        }
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Add hours' : 'Edit hours'}>
        <ResourceForm
          resource={leavePayPeriod}
          inputs={INPUTS}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </div>
  )
}
