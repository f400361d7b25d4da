import { Anchor, Button, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import billing from '../billing.module.css'
import { compareLines, type LineChange } from '../lines/diff.ts'
import { useBillingUrls } from '../places.web.ts'
import { QuoteChip } from '../quotes/chip.web.tsx'
import { type QuoteLineRecord, type QuoteRecord, useQuote } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'
import css from './editing.module.css'

export function QuoteRevisions({ of }: { readonly of: QuoteRecord }) {
  const list = useList(quote, { number: of.number, 'order[id]': 'desc', itemsPerPage: 100 })
  const [against, setAgainst] = useState<number>()
  const places = useBillingUrls()
  const rows = list.data?.['hydra:member'] ?? []
  if (rows.length < 2) return null
  return (
    <section className={billing.card} aria-labelledby="revisions">
      <Title order={2} size="h4" id="revisions">
        Revisions
      </Title>
      <ul className={billing.list}>
        {rows.map((q) => (
          <li key={q.id} className={billing.row}>
            {q.id === of.id ? (
              <strong>{q.reference}, shown here</strong>
            ) : (
              <Anchor component={Link} to={places.quote(q.id)}>
                {q.reference}
              </Anchor>
            )}
            <QuoteChip of={q} />
            <DateTimeText at={q.sentAt ?? q.createdAt} />
            <span className={billing.money}>{formatMoney(q.total, q.currency)}</span>
            {q.id !== of.id && (
              <Button
                variant="default"
                aria-expanded={against === q.id}
                aria-label={`Compare with ${q.reference}`}
                onClick={() => setAgainst(against === q.id ? undefined : q.id)}
              >
                Compare
              </Button>
            )}
          </li>
        ))}
      </ul>
      {against !== undefined && <Difference id={against} other={of} />}
    </section>
  )
}

function Difference({ id, other }: { readonly id: number; readonly other: QuoteRecord }) {
  const read = useQuote(id).data
  if (!read) return <LoadingRows rows={3} />
  const [before, after] = id < other.id ? [read.body, other] : [other, read.body]
  const changes = compareLines(before, after)
  return (
    <table className={css.diff}>
      <caption>
        From {before.reference} to {after.reference}: {formatMoney(before.total, before.currency)} →{' '}
        {formatMoney(after.total, after.currency)}
      </caption>
      <thead>
        <tr>
          <th scope="col">Change</th>
          <th scope="col">{before.reference}</th>
          <th scope="col">{after.reference}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((c, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the difference has no other order
          <tr key={i}>
            <td>{WORDS[c.kind]}</td>
            <td className={c.kind === 'removed' || c.kind === 'changed' ? css.removed : undefined}>
              {lineText(c.before, before)}
            </td>
            <td className={c.kind === 'added' || c.kind === 'changed' ? css.added : undefined}>
              {lineText(c.after, after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const WORDS: Readonly<Record<LineChange<QuoteLineRecord>['kind'], string>> = {
  added: '+ Added',
  removed: '− Removed',
  changed: '± Changed',
  same: 'Unchanged',
}
const lineText = (l: QuoteLineRecord | undefined, q: QuoteRecord) =>
  l ? `${l.description}: ${l.quantity} × ${formatMoney(l.unitAmount, q.currency)}` : ''
