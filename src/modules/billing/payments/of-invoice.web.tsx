import { lastIriSegment } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import type { invoice } from '../invoices/invoice.ts'
import { PaymentsPanel } from './payments-card.web.tsx'

/** Payments card on an invoice's page, except for drafts. */
export default function InvoicePayments({ record: i }: { readonly record: RecordOf<typeof invoice> }) {
  if (i.state === 'draft') return null
  return (
    <PaymentsPanel
      url={`${i['@id']}/charges`}
      closed={i.state !== 'open'}
      paying={{
        customer: { '@id': i.customer['@id'], id: Number(lastIriSegment(i.customer['@id'])) },
        currency: i.currency,
        invoice: { '@id': i['@id'], number: i.number, amountDue: i.amountDue },
      }}
    />
  )
}
