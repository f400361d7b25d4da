import { Text } from '@mantine/core'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import css from '../billing.module.css'
import { price } from './plan.ts'
import { intervalWords } from './price-words.ts'

/** The prices that a plan or an SKU has had, the present one first. */
export function PriceHistory({ of }: { readonly of: Readonly<Record<string, string>> }) {
  const rows = useList(price, { ...of, 'order[version]': 'desc', itemsPerPage: 20 }).data?.['hydra:member']
  if (!rows?.length) return null
  return (
    <section aria-labelledby="prices">
      <Text component="h3" fw={600} id="prices">
        Prices
      </Text>
      <ol className={css.list} reversed>
        {rows.map((p, n) => (
          <li key={p.id} className={css.row}>
            <span className={css.money}>
              {formatMoney(p.amount ?? 0, p.currency ?? 'GBP')}
              {intervalWords(p.interval, p.intervalCount)}
            </span>
            <span>
              {n === 0 ? 'now, since ' : 'from '}
              <Moment at={p.from} />
              {p.author && ` by ${p.author}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
