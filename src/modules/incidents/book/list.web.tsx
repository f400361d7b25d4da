import { Button, Group } from '@mantine/core'
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { can } from '#kernel/can.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import type { QueryParams } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import type { FilterSpec } from '#web/lists/filters.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { listUrlOfRows } from '../analysis/analysis.ts'
import { formatMonthRange, formatMonthSpan, type MonthSpan, monthsFilter, parseMonths } from '../analysis/months.ts'
import { incidentFacts } from '../incident-facts.ts'
import { lookups } from '../lookups/lookup.ts'
import { INCIDENT_PATHS, incidentPath } from '../reports/paths.ts'
import { IncidentStatus } from '../reports/status-chip.web.tsx'
import { RiddorClockText } from '../riddor/clock-text.web.tsx'
import { INCIDENT_READER_ROLE } from '../rights.ts'

const FullExportDialog = lazyComponent(() => import('../full-export/dialog.web.tsx'))

type Incident = RecordOf<typeof incidentFacts>

const LIST_VIEWS = ['all', 'reported', 'open', 'mine', 'clock', 'drafts', 'retired'] as const
const value = z.string().default('')
const LIST = listUrlSchema({
  show: z.enum(LIST_VIEWS).default('all'),
  state: value,
  nearMiss: value,
  incidentType: value,
  site: value,
  department: value,
  months: z
    .string()
    .refine((months) => months === '' || parseMonths(months) !== undefined)
    .default(''),
  mainFactor: value,
  injured: value,
  riddorDecision: value,
  notSaid: emptyFieldFilterSchema,
  bodyPart: value,
  lostTime: value,
})
const NOTHING: Readonly<Record<string, string>> = {
  open: 'No open incidents',
  mine: 'No open incidents of yours',
  clock: 'No clock is running',
  drafts: 'No drafts',
  retired: 'No deleted incidents',
}

/**
 * Filters that numbers of the analysis set, shown only while they are set. Each incident that is listed by a health
 * detail is logged as a confidential read.
 */
const furtherFilters = (months: MonthSpan | undefined): Exclude<FilterSpec, string>[] => [
  {
    key: 'months',
    label: 'Period',
    options: months ? [{ value: formatMonthSpan(months), label: formatMonthRange(months) }] : [],
  },
  { key: 'mainFactor', label: 'Main factor', target: lookups.mainFactors },
  { key: 'injured', label: 'Injured party', options: [{ value: 'true', label: 'With an injured party' }] },
  { key: 'riddorDecision', label: 'RIDDOR decision' },
  emptyFieldFilter({ incidentType: 'Kind', site: 'Site', department: 'Department', mainFactor: 'Main factor' }),
  { key: 'bodyPart', label: 'Part of the body', target: lookups.bodyParts },
  { key: 'lostTime', label: 'Days lost', options: [{ value: 'true', label: 'With days lost' }] },
]

/** Accident book: all incidents that the user may read. */
export default function AccidentBook() {
  const actor = useActor()
  const [state, set] = useUrlState(LIST)
  const [exported, setExported] = useState<QueryParams>()
  const current = { show: '', retired: 'false' }
  const months = parseMonths(state.months)
  const url = listUrlOfRows(state)
  const chosen: Readonly<Record<string, unknown>> = state
  const buttons = can(actor, 'create', incidentFacts) && (
    <Group gap="sm">
      <Button component={Link} to={INCIDENT_PATHS.report} leftSection={<IconAlertTriangle size={18} aria-hidden />}>
        Report an incident
      </Button>
      <Button
        component={Link}
        to={INCIDENT_PATHS.create}
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden />}
      >
        Add entry
      </Button>
    </Group>
  )
  return (
    <Page title="Accident book" actions={buttons}>
      <DataList
        resource={url === incidentFacts.url ? incidentFacts : { ...incidentFacts, url }}
        label="Incidents"
        state={state}
        onState={set}
        search="Search number or description"
        actions={(asked) =>
          url === incidentFacts.url &&
          hasRole(actor, INCIDENT_READER_ROLE) && (
            <Button variant="default" onClick={() => setExported(asked)}>
              Export with health details
            </Button>
          )
        }
        params={months ? monthsFilter('datetime', months) : {}}
        filters={[
          {
            key: 'show',
            label: 'Show',
            options: [
              { value: 'all', label: 'All', asks: current },
              { value: 'reported', label: 'Reported', asks: { ...current, 'exists[reportedAt]': 'true' } },
              { value: 'open', label: 'Open', asks: { ...current, open: 'true' } },
              { value: 'mine', label: 'My open', asks: { ...current, open: 'true', author: actor.username } },
              { value: 'clock', label: 'Clock running', asks: { ...current, 'exists[reportBy]': 'true' } },
              { value: 'drafts', label: 'Drafts', asks: { ...current, state: 'draft' } },
              { value: 'retired', label: 'Deleted', asks: { show: '', retired: 'true' } },
            ],
          },
          'state',
          'nearMiss',
          'incidentType',
          'site',
          'department',
          ...furtherFilters(months).filter(({ key }) => chosen[key]),
        ]}
        columns={[
          {
            key: 'number',
            tight: true,
            link: true,
            render: (one: Incident) => one.number || 'Draft',
          },
          {
            key: 'datetime',
            title: 'Date',
            tight: true,
            render: (one: Incident) => <DateTimeText at={one.datetime} />,
          },
          { key: 'incidentType', title: 'Kind', render: kindOf },
          { key: 'description', wide: true },
          { key: 'place', title: 'Place', fields: ['site', 'internalLocation', 'city'], render: placeOf },
          { key: 'peopleCount', title: 'People', tight: true },
          {
            key: 'reportBy',
            tight: true,
            render: (one: Incident) => (one.reportBy ? <RiddorClockText report={one} /> : '—'),
          },
          { key: 'state', title: 'Status', tight: true, render: (one: Incident) => <IncidentStatus report={one} /> },
        ]}
        rowMuted={(one) => one.retired}
        href={(one: Incident) => (one.state === 'draft' ? `${INCIDENT_PATHS.update}/${one.id}` : incidentPath(one.id))}
        nothing={
          <EmptyState title={(!state.q && NOTHING[state.show]) || 'No incidents found'} action={buttons}>
            Every accident, near miss and dangerous occurrence belongs in the accident book, however small.
          </EmptyState>
        }
      />
      {exported && <FullExportDialog asked={exported} onClose={() => setExported(undefined)} />}
    </Page>
  )
}

const kindOf = ({ nearMiss, incidentType }: Incident) =>
  nearMiss ? <StatusChip hue="teal">Near miss</StatusChip> : (incidentType?.description ?? '—')

const placeOf = ({ site, internalLocation, city }: Incident): string =>
  [site?.name, internalLocation, site ? '' : city].filter(Boolean).join(', ') || '—'
