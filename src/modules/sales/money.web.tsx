import { formatMoney } from '#kernel/money.ts'
import css from './sales.module.css'

/** An amount in pence, shown in pounds in a table column. */
export const MoneyCell = ({
  pence,
  currency = 'GBP',
}: {
  readonly pence: number
  readonly currency?: 'GBP' | 'EUR' | 'USD'
}) => <span className={css.money}>{formatMoney(pence, currency)}</span>
