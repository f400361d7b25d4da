import { formatInteger } from '#kernel/text.ts'
import { KeyFigures } from '#web/charts/numbers.tsx'
import { FigureLink } from '#web/charts/picture.tsx'
import type { SalesFigures } from './figures.ts'
import {
  acceptedQuotesUrl,
  callCountOf,
  callListUrl,
  countByWeek,
  quoteCountOf,
  quotePenceOf,
  sentQuotesUrl,
} from './figures.ts'
import { formatPounds } from './sales-pictures.web.tsx'

interface Props {
  readonly figures: SalesFigures
  readonly whose: number | 'all'
  readonly canOpen: boolean
}

export function WeeklySalesNumbers({ figures: f, whose, canOpen }: Props) {
  const [before = '', week = ''] = f.weeks.slice(-2)
  const number = (
    label: string,
    weeks: readonly number[],
    at: (of: number | 'all', week: string) => string,
    format: (n: number) => string = formatInteger,
  ) => ({
    label,
    format,
    cell: { value: weeks.at(-1) ?? 0, to: canOpen ? at(whose, week) : undefined },
    beside: (
      <>
        Last week{' '}
        <FigureLink
          cell={{ value: weeks.at(-2) ?? 0, to: canOpen ? at(whose, before) : undefined }}
          name={`${label.replace(' this week', '')} last week`}
          format={format}
        />
      </>
    ),
  })
  return (
    <KeyFigures
      all={[
        number('Calls this week', countByWeek(f.weeks, f.calls, whose, callCountOf), callListUrl),
        number('Quotes sent', countByWeek(f.weeks, f.sent, whose, quoteCountOf), sentQuotesUrl),
        number('Quotes accepted', countByWeek(f.weeks, f.accepted, whose, quoteCountOf), acceptedQuotesUrl),
        number(
          'Value accepted',
          countByWeek(f.weeks, f.accepted, whose, quotePenceOf),
          acceptedQuotesUrl,
          formatPounds,
        ),
      ]}
    />
  )
}
