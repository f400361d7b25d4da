import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import { formatPounds } from '#kernel/money.ts'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { useActor } from '#web/api/me.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { formatIsoAsUkDate, londonToday } from '#web/dates/uk-dates.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { RowsTable } from '#web/lists/rows-table.tsx'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { CostInput } from '../courses/cost-input.web.tsx'
import { trainingCourse } from '../courses/course.ts'
import { PLAN_SUMMARY_URL, type TrainingPlanSummary, trainingPlan, type UnplannedTraining } from './plan.ts'

const LIST = listUrlSchema({
  year: z
    .string()
    .regex(/^(2\d{3})?$/)
    .default(''),
  state: z.string().default(''),
})

type Plan = RecordOf<typeof trainingPlan>

/** Returns the status of planned training. */
const PlanStatus = ({ plan: { state, done } }: { readonly plan: Pick<Plan, 'state' | 'done'> }) =>
  done ? (
    <StatusChip meaning="safe">Done</StatusChip>
  ) : state === 'booked' ? (
    <StatusChip meaning="info">Booked</StatusChip>
  ) : (
    <StatusChip meaning={state === 'planned' ? 'attention' : 'plain'}>
      {state === 'planned' ? 'Planned' : 'Cancelled'}
    </StatusChip>
  )

/** Planned training and its cost by person and year, with the training that still has to be planned. */
export default function TrainingPlanPage() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<Plan | UnplannedTraining | 'new'>()
  const year = Number(state.year || londonToday().slice(0, 4))
  const url = `${PLAN_SUMMARY_URL}?year=${year}`
  const answer = useQuery({ queryKey: [trainingPlan.url, 'list', url], ...urlQueryOptions<TrainingPlanSummary>(url) })
  const mayPlan = can(actor, 'create', trainingPlan)
  const close = () => setOpen(undefined)
  const move = (years: number) => set({ year: String(year + years) })
  const summary = answer.data
  return (
    <Page
      title="Training plan"
      about="Planned and booked courses with their cost. Reminders of an expiry stop once a course is booked."
      actions={
        mayPlan && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
            Plan training
          </Button>
        )
      }
    >
      <Stack gap="lg">
        <Group gap="xs">
          <Button variant="default" aria-label="Previous year" onClick={() => move(-1)}>
            <IconChevronLeft size={18} aria-hidden />
          </Button>
          <strong aria-live="polite">{year}</strong>
          <Button variant="default" aria-label="Next year" onClick={() => move(1)}>
            <IconChevronRight size={18} aria-hidden />
          </Button>
        </Group>
        {answer.isPending && <LoadingRows rows={6} />}
        {answer.isError && !summary && <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />}
        {summary && <PeopleCosts summary={summary} />}
        {summary && summary.unplanned.length > 0 && (
          <Unplanned rows={summary.unplanned} {...(mayPlan ? { onPlan: setOpen } : {})} />
        )}
        <div>
          <Title order={2} size="h4" mb="xs">
            Planned courses
          </Title>
          <DataList
            resource={trainingPlan}
            label="Planned courses"
            state={state}
            onState={set}
            search={false}
            filters={['state']}
            params={{ 'plannedOn[after]': `${year}-01-01`, 'plannedOn[before]': `${year}-12-31` }}
            columns={[
              { key: 'course', title: 'Course', link: true },
              { key: 'employee', title: 'Person' },
              { key: 'plannedOn', render: ({ plannedOn }: Plan) => formatIsoAsUkDate(plannedOn) },
              { key: 'state', tight: true, render: (one: Plan) => <PlanStatus plan={one} /> },
              {
                key: 'cost',
                wide: true,
                render: ({ cost }: Plan) => (cost === null ? 'Not known' : formatPounds(cost)),
              },
            ]}
            {...(mayPlan ? { onOpen: setOpen } : {})}
            rowMuted={({ state: status }) => status === 'cancelled'}
            nothing={<EmptyState title="Nothing planned for this year" />}
          />
        </div>
      </Stack>
      {open && <PlanDialog open={open} onClose={close} />}
    </Page>
  )
}

/** Cost by person, with the sum. Costs that are not known are counted, never taken as nothing. */
function PeopleCosts({ summary: { people, year } }: { readonly summary: TrainingPlanSummary }) {
  const total = people.reduce((sum, one) => sum + one.cost, 0)
  const without = people.reduce((sum, one) => sum + one.withoutCost, 0)
  return (
    <section aria-labelledby="training-costs">
      <Title order={2} id="training-costs" size="h4" mb="xs">{`Cost by person in ${year}`}</Title>
      <Text mb="sm">{`${formatPounds(total)} in total${without ? `, and ${without} ${without === 1 ? 'course' : 'courses'} whose cost is not known` : ''}`}</Text>
      <RowsTable
        label="Cost by person"
        search={people.length > 10}
        empty="No training is planned in this year."
        heads={['Person', 'Planned', 'Booked', 'Done', 'Cost']}
        rows={people.map(({ employee: id, name, planned, booked, done, cost, withoutCost }) => ({
          key: id,
          words: name,
          cells: [
            name,
            planned,
            booked,
            done,
            `${formatPounds(cost)}${withoutCost ? ` and ${withoutCost} not known` : ''}`,
          ],
        }))}
      />
    </section>
  )
}

interface UnplannedProps {
  readonly rows: readonly UnplannedTraining[]
  readonly onPlan?: (row: UnplannedTraining) => void
}

/** Training that expires by the end of the year or is missing, and is neither planned nor booked. */
const Unplanned = ({ rows, onPlan }: UnplannedProps) => (
  <section aria-labelledby="training-unplanned">
    <Title order={2} id="training-unplanned" size="h4" mb="xs">{`Not planned yet (${rows.length})`}</Title>
    <RowsTable
      label="Not planned yet"
      search
      empty="Nothing fits the search."
      heads={['Person', 'Course', 'Valid until', 'Cost', ...(onPlan ? ['Plan'] : [])]}
      rows={rows.map((row) => ({
        key: `${row.employee} ${row.course}`,
        words: `${row.name} ${row.courseName}`,
        cells: [
          row.name,
          row.courseName,
          row.validUntil ? formatIsoAsUkDate(row.validUntil) : 'Never took place',
          row.cost === null ? 'Not known' : formatPounds(row.cost),
          ...(onPlan
            ? [
                <Button
                  key="plan"
                  variant="default"
                  size="xs"
                  aria-label={`Plan ${row.courseName} for ${row.name}`}
                  onClick={() => onPlan(row)}
                >
                  Plan
                </Button>,
              ]
            : []),
        ],
      }))}
    />
  </section>
)

const INPUTS = { cost: CostInput }

interface DialogProps {
  readonly open: Plan | UnplannedTraining | 'new'
  readonly onClose: () => void
}

function PlanDialog({ open, onClose }: DialogProps) {
  const isStored = open !== 'new' && '@id' in open
  const defaults = open !== 'new' &&
    !isStored && {
      employee: iriOf(employee, open.employee),
      course: iriOf(trainingCourse, open.course),
      cost: open.cost,
    }
  return (
    <Dialog opened onClose={onClose} title={isStored ? `${open.course.name}: ${open.employee.name}` : 'Plan training'}>
      <ResourceForm
        resource={trainingPlan}
        fields={[
          ...(isStored ? [] : (['employee', 'course'] as const)),
          'plannedOn',
          'state',
          'cost',
          'provider',
          'notes',
        ]}
        {...(isStored ? { record: open } : {})}
        {...(defaults ? { defaults } : {})}
        inputs={INPUTS}
        onCancel={onClose}
        onSaved={onClose}
      />
    </Dialog>
  )
}
