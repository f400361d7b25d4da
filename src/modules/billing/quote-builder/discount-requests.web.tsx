import { Text, Title } from '@mantine/core'
import { formatMoney } from '#kernel/money.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { PersonName } from '#web/ui/people/person-name.tsx'
import css from '../billing.module.css'
import type { QuoteRecord } from '../quotes/data.web.ts'
import { discountApproval } from '../quotes/quote.ts'

const APPROVAL_STATE_LABELS = {
  waiting: 'awaiting approval',
  approved: 'approved',
  rejected: 'declined',
  withdrawn: 'withdrawn',
} as const

/** A quote's discount approval requests, latest first; hidden if there are none. */
export function QuoteDiscountApprovals({ of }: { readonly of: Pick<QuoteRecord, 'id'> }) {
  const rows = useList(discountApproval, { quote: of.id, itemsPerPage: 20 }).data?.['hydra:member'] ?? []
  if (!rows.length) return null
  return (
    <section aria-labelledby="asked">
      <Title order={2} size="h4" id="asked" mb="xs">
        Discount approvals
      </Title>
      <ul className={css.list}>
        {rows.map((one) => (
          <li key={one.id} className={css.row}>
            <Text span size="sm">
              {formatMoney(one.discount, one.currency)} off {formatMoney(one.subtotal, one.currency)}{' '}
              {APPROVAL_STATE_LABELS[one.state]}
              {one.answer && `: ${one.answer}`}. “{one.reason}” <PersonName username={one.author} />
            </Text>
            <DateTimeText at={one.decidedAt ?? one.createdAt} day />
          </li>
        ))}
      </ul>
    </section>
  )
}
