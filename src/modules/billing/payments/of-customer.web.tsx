import type { CustomerRecord } from '../customers/data.web.ts'
import { PaymentsPanel } from './payments-card.web.tsx'

/** Payments card on a customer's page. Payments recorded here are added to the customer's credit. */
export default function CustomerPayments({ record: c }: { readonly record: CustomerRecord }) {
  return (
    <PaymentsPanel
      url={`${c['@id']}/charges`}
      closed={c.retired}
      paying={{ customer: { '@id': c['@id'], id: c.id }, currency: c.currency }}
    />
  )
}
