import { figure } from '#kernel/text.ts'
import { Numbers } from '#web/charts/numbers.tsx'
import { Opens } from '#web/charts/picture.tsx'
import type { SalesFigures } from './figures.ts'
import { acceptedAt, byWeek, calls, callsAt, money, quotes, sentAt } from './pictures.ts'
import { inPounds } from './sales-pictures.web.tsx'

interface Props {
  readonly figures: SalesFigures
  readonly whose: number | 'all'
  readonly canOpen: boolean
}

export function WeekNumbers({ figures: f, whose, canOpen }: Props) {
  const [before = '', week = ''] = f.weeks.slice(-2)
  const number = (
    label: string,
    weeks: readonly number[],
    at: (of: number | 'all', week: string) => string,
    format: (n: number) => string = figure,
  ) => ({
    label,
    format,
    cell: { value: weeks.at(-1) ?? 0, to: canOpen ? at(whose, week) : undefined },
    beside: (
      <>
        Last week{' '}
        <Opens
          cell={{ value: weeks.at(-2) ?? 0, to: canOpen ? at(whose, before) : undefined }}
          name={`${label.replace(' this week', '')} last week`}
          format={format}
        />
      </>
    ),
  })
  return (
    <Numbers
      all={[
        number('Calls this week', byWeek(f.weeks, f.calls, whose, calls), callsAt),
        number('Quotes sent', byWeek(f.weeks, f.sent, whose, quotes), sentAt),
        number('Quotes accepted', byWeek(f.weeks, f.accepted, whose, quotes), acceptedAt),
        number('Value accepted', byWeek(f.weeks, f.accepted, whose, money), acceptedAt, inPounds),
      ]}
    />
  )
}
