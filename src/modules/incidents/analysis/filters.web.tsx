import '@mantine/core/styles/Combobox.layer.css'
import { Select } from '@mantine/core'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import { useList } from '#web/api/resources.ts'
import { londonToday } from '#web/dates/uk-dates.ts'
import { incidentDepartment } from '../settings/incident-department.ts'
import css from './analysis.module.css'
import { formatMonth, listMonths, MAX_MONTHS, type MonthSpan } from './months.ts'

/** Returns the months to choose from, the current one first. */
export function offeredMonths(): { readonly value: string; readonly label: string }[] {
  const today = Temporal.PlainDate.from(londonToday())
  const first = today.subtract({ months: MAX_MONTHS - 1 }).toString()
  return listMonths({ from: first.slice(0, 7), to: today.toString().slice(0, 7) })
    .reverse()
    .map((value) => ({ value, label: formatMonth(value) }))
}

const [earlier, later] = [
  (a: string, b: string) => [a, b].sort()[0] ?? a,
  (a: string, b: string) => [a, b].sort()[1] ?? a,
]

interface Props {
  readonly months: MonthSpan
  readonly site: string
  readonly department: string
  readonly onChange: (change: {
    readonly months?: MonthSpan
    readonly site?: string
    readonly department?: string
  }) => void
}

/** Filters of the analysis: first and last month, site and department. */
export function AnalysisFilters({ months, site, department, onChange }: Props) {
  const offered = offeredMonths()
  const sites = useList(incidentSite, { pagination: false }).data?.['hydra:member']
  const departments = useList(incidentDepartment, { pagination: false }).data?.['hydra:member']
  const { from, to } = months
  return (
    <div className={css.filters}>
      <Select
        label="From"
        data={offered}
        value={from}
        allowDeselect={false}
        searchable
        onChange={(month) => month && onChange({ months: { from: month, to: later(month, to) } })}
      />
      <Select
        label="To"
        data={offered}
        value={to}
        allowDeselect={false}
        searchable
        onChange={(month) => month && onChange({ months: { from: earlier(month, from), to: month } })}
      />
      <RowFilter
        label="Site"
        placeholder="All sites"
        rows={sites}
        chosen={site}
        onChange={(chosen) => onChange({ site: chosen })}
      />
      <RowFilter
        label="Department"
        placeholder="All departments"
        rows={departments}
        chosen={department}
        onChange={(chosen) => onChange({ department: chosen })}
      />
    </div>
  )
}

interface RowFilterProps {
  readonly label: string
  /** Text shown while no row is chosen. */
  readonly placeholder: string
  readonly rows: readonly { readonly id: number; readonly name: string; readonly retired: boolean }[] | undefined
  /** ID of the chosen row; empty if none is chosen. */
  readonly chosen: string
  readonly onChange: (chosen: string) => void
}

const RowFilter = ({ label, placeholder, rows = [], chosen, onChange }: RowFilterProps) => (
  <Select
    label={label}
    placeholder={placeholder}
    data={rows.map(({ id, name, retired }) => ({ value: String(id), label: retired ? `${name} (retired)` : name }))}
    value={chosen || null}
    clearable
    searchable
    onChange={(id) => onChange(id ?? '')}
  />
)
