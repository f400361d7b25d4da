import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { leaveBlackout } from '../leave/leave-blackout.ts'
import { leaveSettings } from '../leave/leave-settings.ts'
import { employeeWorkPattern, workPattern } from '../leave/work-patterns.ts'
import { HoursWorked } from './hours-worked.web.tsx'
import { ServiceStepsInput } from './service-steps-input.web.tsx'
import { ShiftsInput } from './shifts-input.web.tsx'

const LIST = listUrlSchema({})

/** State of one of several lists on the page, which therefore is not in the address. */
function useListState() {
  const [state, setState] = useState(() => LIST.parse({}))
  return [state, (change: Partial<typeof state>) => setState((now) => ({ ...now, ...change }))] as const
}

/** A company's rules of leave, work patterns, and days on which no leave can be requested. */
export default function LeaveSettingsPage() {
  const { clientId } = useActor()
  const settings = useApiRecord(leaveSettings, clientId)
  return (
    <Page
      title="Leave settings"
      about="A change of these rules recounts the leave of all employees. Statutory leave of 5.6 weeks, at most 28 days, always remains."
    >
      <Stack gap="lg">
        <section className={page.card} aria-labelledby="rules">
          <h2 id="rules">Rules</h2>
          {settings.isError && <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />}
          {settings.isPending && <LoadingRows rows={6} />}
          {settings.data && (
            <ResourceForm
              resource={leaveSettings}
              record={settings.data}
              fields={[
                'yearStartsOn',
                'unit',
                'bankHolidays',
                'additionalDays',
                'serviceSteps',
                'carryOverDays',
                'carryOverMonths',
                'cancellation',
                'sicknessScoreLimit',
                'sicknessSpellLimit',
              ]}
              inputs={{ serviceSteps: ServiceStepsInput }}
              wide={['serviceSteps']}
              focused={false}
              onSaved={() => toast.saved('settings')}
            />
          )}
        </section>
        <Patterns />
        <Assignments />
        <HoursWorked />
        <Blackouts />
        <Text c="dimmed" size="sm">
          The approver and deputy of leave are those of each department; without one, the manager of the employee
          decides, and without a manager human resources.
        </Text>
      </Stack>
    </Page>
  )
}

const SHIFTS: Readonly<Record<string, CustomInput>> = { days: ShiftsInput }

function Patterns() {
  const [state, set] = useListState()
  const [open, setOpen] = useState<RecordOf<typeof workPattern> | 'new'>()
  const close = () => setOpen(undefined)
  return (
    <div className={page.card}>
      <h2>Work patterns</h2>
      <DataList
        resource={workPattern}
        label="Work patterns"
        state={state}
        onState={set}
        search={false}
        params={{ retired: 'false' }}
        actions={<AddButton onClick={() => setOpen('new')}>Add pattern</AddButton>}
        columns={[
          { key: 'name', link: true },
          { key: 'days', render: ({ days }: RecordOf<typeof workPattern>) => `${days.length} days` },
        ]}
        onOpen={setOpen}
        empty={
          <EmptyState title="No work patterns yet">
            Add the shifts of a week, or of several alternating weeks.
          </EmptyState>
        }
      />
      <Dialog opened={open !== undefined} onClose={close} title={open === 'new' ? 'Add pattern' : 'Edit pattern'}>
        <ResourceForm
          resource={workPattern}
          inputs={SHIFTS}
          wide={['days']}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </div>
  )
}

function Assignments() {
  const [state, set] = useListState()
  const [open, setOpen] = useState<RecordOf<typeof employeeWorkPattern> | 'new'>()
  const close = () => setOpen(undefined)
  type Row = RecordOf<typeof employeeWorkPattern>
  return (
    <div className={page.card}>
      <h2>Patterns of employees</h2>
      <DataList
        resource={employeeWorkPattern}
        label="Patterns of employees"
        state={state}
        onState={set}
        search={false}
        actions={<AddButton onClick={() => setOpen('new')}>Assign pattern</AddButton>}
        columns={[
          { key: 'employee', link: true, render: ({ employee }: Row) => employee.name },
          { key: 'pattern', render: ({ pattern }: Row) => pattern?.name ?? 'Irregular hours or part of the year' },
          { key: 'from', render: ({ from }: Row) => formatIsoAsUkDate(from) },
        ]}
        onOpen={setOpen}
        empty={
          <EmptyState title="No patterns of employees yet">Without one, an employee has no entitlement.</EmptyState>
        }
      />
      <Dialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? 'Assign pattern' : 'Edit pattern of employee'}
      >
        <ResourceForm
          resource={employeeWorkPattern}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </div>
  )
}

function Blackouts() {
  const [state, set] = useListState()
  const [open, setOpen] = useState<RecordOf<typeof leaveBlackout> | 'new'>()
  const close = () => setOpen(undefined)
  type Row = RecordOf<typeof leaveBlackout>
  return (
    <div className={page.card}>
      <h2>Days without leave</h2>
      <DataList
        resource={leaveBlackout}
        label="Days without leave"
        state={state}
        onState={set}
        search={false}
        params={{ retired: 'false' }}
        actions={<AddButton onClick={() => setOpen('new')}>Add days</AddButton>}
        columns={[
          { key: 'firstDay', link: true, render: ({ firstDay }: Row) => formatIsoAsUkDate(firstDay) },
          { key: 'lastDay', render: ({ lastDay }: Row) => formatIsoAsUkDate(lastDay) },
          { key: 'department', render: ({ department }: Row) => department?.name ?? 'Whole company' },
          { key: 'reason' },
        ]}
        onOpen={setOpen}
        empty={
          <EmptyState title="No days without leave yet">Add days on which employees can’t request leave.</EmptyState>
        }
      />
      <Dialog
        opened={open !== undefined}
        onClose={close}
        title={open === 'new' ? 'Add days without leave' : 'Edit days without leave'}
      >
        <ResourceForm
          resource={leaveBlackout}
          {...(open && open !== 'new' ? { record: open } : {})}
          onCancel={close}
          onSaved={close}
        />
      </Dialog>
    </div>
  )
}

const AddButton = ({ children, onClick }: { readonly children: string; readonly onClick: () => void }) => (
  <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={onClick}>
    {children}
  </Button>
)
