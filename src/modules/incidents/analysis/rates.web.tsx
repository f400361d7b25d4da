import { Anchor, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { Link } from 'react-router'
import { can } from '#kernel/can.ts'
import { formatInteger } from '#kernel/text.ts'
import { useActor } from '#web/api/me.ts'
import { FigureLink } from '#web/charts/chart.tsx'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import { INCIDENT_PATHS } from '../reports/paths.ts'
import css from './analysis.module.css'
import { FORMULAS, pathOfRows, type RateFigures } from './analysis.ts'
import { formatMonthList, formatMonthRange } from './months.ts'
import { workforceMonth } from './workforce-month.ts'

const formatRate = (rate: number | null): string =>
  rate === null ? 'Not available' : rate.toLocaleString('en-GB', { maximumFractionDigits: 2 })

/** Rates for employees and hours worked, or the reason why they are not available. */
export function RatesSection({ rates }: { readonly rates: RateFigures | null }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        Frequency rates
      </Title>
      {rates?.months ? (
        <Rates rates={rates} months={formatMonthRange(rates.months)} />
      ) : (
        <Text>
          {rates
            ? 'Rates are for months that are over. Choose an earlier first month.'
            : 'Rates are for the whole company. Remove the filters by site and department.'}
        </Text>
      )}
    </section>
  )
}

function Rates({ rates, months }: { readonly rates: RateFigures; readonly months: string }) {
  const actor = useActor()
  const { hours, headcount, missingHours, missingHeadcount } = rates
  return (
    <>
      <ul className={css.formula}>
        <li>{`Per 100,000 employees: ${FORMULAS.perEmployees}`}</li>
        <li>{`Per 1,000,000 hours: ${FORMULAS.perHours}`}</li>
      </ul>
      <Text my="xs">
        {`${months}. `}
        {hours === null
          ? `Hours have not been entered for ${formatMonthList(missingHours)}. `
          : `${formatInteger(hours)} hours worked. `}
        {headcount === null
          ? `Numbers of employees have not been entered for ${formatMonthList(missingHeadcount)}. `
          : `${formatRate(headcount)} employees on average. `}
        <Anchor component={Link} to={INCIDENT_PATHS.workforce} inherit>
          {can(actor, 'create', workforceMonth) ? 'Enter hours and employees' : 'Hours and employees'}
        </Anchor>
      </Text>
      <ResponsiveNumberTable
        label="Table: frequency rates"
        head="Incidents"
        columns={['Number', 'Per 100,000 employees', 'Per 1,000,000 hours']}
        rows={rates.rates.map(({ label, count, rows, perEmployees, perHours }) => ({
          key: label,
          name: label,
          cells: [
            <FigureLink key="count" cell={{ value: count, to: rows && pathOfRows(rows) }} name={label} />,
            formatRate(perEmployees),
            formatRate(perHours),
          ],
        }))}
      />
    </>
  )
}
