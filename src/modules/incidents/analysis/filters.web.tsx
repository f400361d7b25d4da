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
  const options = (rows: readonly { readonly id: number; readonly name: string; readonly retired: boolean }[] = []) =>
    rows.map(({ id, name, retired }) => ({ value: String(id), label: retired ? `${name} (retired)` : name }))
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
      <Select
        label="Site"
        placeholder="All sites"
        data={options(sites)}
        value={site || null}
        clearable
        searchable
        onChange={(chosen) => onChange({ site: chosen ?? '' })}
      />
      <Select
        label="Department"
        placeholder="All departments"
        data={options(departments)}
        value={department || null}
        clearable
        searchable
        onChange={(chosen) => onChange({ department: chosen ?? '' })}
      />
    </div>
  )
}
