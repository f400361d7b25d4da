import { useQuery } from '@tanstack/react-query'
import { reading } from '#web/api/reading.ts'
import { SALES_FIGURES, type SalesFigures } from './figures.ts'

/** Figures that are a minute old are shown, and asked for again. */
export const useSalesFigures = () =>
  useQuery({ queryKey: [SALES_FIGURES], ...reading<SalesFigures>(SALES_FIGURES), refetchOnMount: 'always' })

/** `28 Sep`, and the week that is on by that name. */
export const weekHeads = ({ weeks }: Pick<SalesFigures, 'weeks'>): string[] =>
  weeks.map((week, n) =>
    n === weeks.length - 1
      ? 'Now'
      : Temporal.PlainDate.from(week).toLocaleString('en-GB', { day: 'numeric', month: 'short' }),
  )
