import { Anchor, Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { Link } from 'react-router'
import { urlQueryOptions } from '#web/api/reading.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import layout from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { employeePath, PEOPLE_PATHS } from '../nav.ts'
import css from '../people.module.css'
import { type OverviewFigure, PEOPLE_OVERVIEW_URL, type PeopleOverview } from './overview.ts'

/** Numbers of employees, joiners and leavers, of missing details and of expiries. Each number opens its rows. */
export default function EmployeeOverview() {
  const found = useQuery({ queryKey: [PEOPLE_OVERVIEW_URL], ...urlQueryOptions<PeopleOverview>(PEOPLE_OVERVIEW_URL) })
  return (
    <Page
      title="Overview"
      about="Each number opens the employees that it counts."
      actions={
        <Button component={Link} to={PEOPLE_PATHS.matchNames} variant="default">
          Match names
        </Button>
      }
    >
      {found.data ? (
        <>
          <Figures title="People" figures={found.data.people} />
          <Figures title="Written statements of particulars" figures={found.data.statements}>
            <Text size="sm">
              Employees get a written statement of particulars on their first day (Employment Rights Act 1996, section
              1). A contract counts once both sides have signed it.
            </Text>
            {found.data.starters.length > 0 && (
              <dl>
                {found.data.starters.map(({ id, name, dueOn }) => (
                  <Fragment key={id}>
                    <dt>
                      <Anchor component={Link} to={employeePath(id)}>
                        {name}
                      </Anchor>
                    </dt>
                    <dd>Due {formatIsoAsUkDate(dueOn)}</dd>
                  </Fragment>
                ))}
              </dl>
            )}
          </Figures>
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

interface FiguresProps {
  readonly title: string
  readonly figures: readonly OverviewFigure[]
  readonly children?: ReactNode
}

const Figures = ({ title, figures, children }: FiguresProps) => (
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
    {children}
  </section>
)
