import { Anchor, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { urlQueryOptions } from '#web/api/reading.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../people.module.css'
import { type OverviewFigure, PEOPLE_OVERVIEW_URL, type PeopleOverview } from './overview.ts'

/** Numbers of employees, joiners and leavers, of missing details and of expiries. Each number opens its rows. */
export default function EmployeeOverview() {
  const found = useQuery({ queryKey: [PEOPLE_OVERVIEW_URL], ...urlQueryOptions<PeopleOverview>(PEOPLE_OVERVIEW_URL) })
  return (
    <Page title="Overview" about="Each number opens the employees that it counts.">
      {found.data ? (
        <>
          <Figures title="People" figures={found.data.people} />
          <Figures title="Missing details" figures={found.data.missing} />
          <Figures title="Expiries" figures={found.data.expiries} />
        </>
      ) : found.error ? (
        <ErrorState error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <LoadingRows rows={6} />
      )}
    </Page>
  )
}

const Figures = ({ title, figures }: { readonly title: string; readonly figures: readonly OverviewFigure[] }) => (
  <section className={layout.card} aria-label={title}>
    <Title order={2}>{title}</Title>
    <ul className={css.figures}>
      {figures.map(({ name, label, count, rows }) => (
        <li key={name}>
          <Anchor component={Link} to={rows} className={css.figure ?? ''}>
            <strong>{count.toLocaleString('en-GB')}</strong>
            <span>{label}</span>
          </Anchor>
        </li>
      ))}
    </ul>
  </section>
)
