import { Text, Title } from '@mantine/core'
import { useId } from 'react'
import { formatInteger } from '#kernel/text.ts'
import { FigureLink } from '#web/charts/chart.tsx'
import { ResponsiveNumberTable } from '#web/charts/figure-table.tsx'
import css from './analysis.module.css'
import { FORMULAS, type HealthFigures, pathOfRows } from './analysis.ts'
import { BodyMap } from './body-map.web.tsx'
import { formatMonthRange } from './months.ts'
import { MIN_PEOPLE } from './small-groups.ts'

/** Mark of a number that is not shown. */
const NOT_SHOWN = '–'

/** Body map with the same numbers in a table. */
export function HealthSection({ health }: { readonly health: HealthFigures }) {
  const id = useId()
  const { bodyParts, otherParts, smallGroupsWithheld, months } = health
  const title = 'Incidents by part of the body'
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <p className={css.formula}>{FORMULAS.bodyParts}</p>
      {smallGroupsWithheld && (
        <Text size="sm" my="xs" maw="75ch">
          {`${formatMonthRange(months)}, the whole company. Parts with fewer than ${MIN_PEOPLE} people are marked ${NOT_SHOWN}, and so are others where needed, so that nobody can be identified. Users who read health details see every number, and the incidents.`}
        </Text>
      )}
      <div className={css.health}>
        <BodyMap parts={bodyParts} blank={smallGroupsWithheld ? NOT_SHOWN : '0'} />
        {bodyParts.length || otherParts ? (
          <ResponsiveNumberTable
            label={`Table: ${title}`}
            head="Part of the body"
            columns={['Incidents']}
            rows={[
              ...bodyParts.map(({ key, label, count, rows }) => ({
                key,
                name: label,
                cells: [
                  <FigureLink
                    key="count"
                    cell={{ value: count, to: rows && pathOfRows(rows) }}
                    name={`Incidents, ${label}`}
                  />,
                ],
              })),
              ...(smallGroupsWithheld && otherParts
                ? [{ key: 'others', name: 'Other parts', cells: [formatInteger(otherParts)] }]
                : []),
            ]}
          />
        ) : (
          <Text c="dimmed">
            {smallGroupsWithheld ? 'No part of the body has enough people.' : 'No part of the body is entered.'}
          </Text>
        )}
      </div>
    </section>
  )
}
