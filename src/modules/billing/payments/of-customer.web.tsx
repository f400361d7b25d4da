import type { Customer } from '../customers/data.web.ts'
import { PaymentsCard } from './payments-card.web.tsx'

/** The payments of a customer, on their page. One that is taken here pays no invoice: it is in the customer's credit. */
export default function PaymentsOfCustomer({ record: c }: { readonly record: Customer }) {
  return (
    <PaymentsCard
      url={`${c['@id']}/charges`}
      closed={c.retired}
      paying={{ customer: { '@id': c['@id'], id: c.id }, currency: c.currency }}
    />
  )
}
