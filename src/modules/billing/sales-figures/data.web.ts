import { useQuery } from '@tanstack/react-query'
import { reading } from '#web/api/reading.ts'
import { SALES_FIGURES, type SalesFigures } from './figures.ts'

/** Shows cached figures up to a minute old and refetches them. */
export const useSalesFigures = () =>
  useQuery({ queryKey: [SALES_FIGURES], ...reading<SalesFigures>(SALES_FIGURES), refetchOnMount: 'always' })

/** Headings such as `28 Sep`; the current week has its own. */
export const weekHeads = ({ weeks }: Pick<SalesFigures, 'weeks'>): string[] =>
  weeks.map((week, n) =>
    n === weeks.length - 1
      ? 'Now'
      : Temporal.PlainDate.from(week).toLocaleString('en-GB', { day: 'numeric', month: 'short' }),
  )
