import { useQuery } from '@tanstack/react-query'
import { urlQueryOptions } from '#web/api/reading.ts'
import { SALES_FIGURES_URL, type SalesFigures } from './figures.ts'

/** Shows cached figures up to a minute old and refetches them. */
export const useSalesFigures = () =>
  useQuery({
    queryKey: [SALES_FIGURES_URL],
    ...urlQueryOptions<SalesFigures>(SALES_FIGURES_URL),
    refetchOnMount: 'always',
  })

/** Headings such as `28 Sep`; the current week has its own. */
export const weekHeadings = ({ weeks }: Pick<SalesFigures, 'weeks'>): string[] =>
  weeks.map((week, n) =>
    n === weeks.length - 1
      ? 'Now'
      : Temporal.PlainDate.from(week).toLocaleString('en-GB', { day: 'numeric', month: 'short' }),
  )
