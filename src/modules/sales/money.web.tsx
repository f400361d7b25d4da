import { formatMoney } from '#kernel/money.ts'
import css from './sales.module.css'

/** Pence as pounds, in a column of its own. */
export const Money = ({
  pence,
  currency = 'GBP',
}: {
  readonly pence: number
  readonly currency?: 'GBP' | 'EUR' | 'USD'
}) => <span className={css.money}>{formatMoney(pence, currency)}</span>
