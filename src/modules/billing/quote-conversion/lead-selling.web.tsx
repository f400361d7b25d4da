import { Anchor, Button, Group, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf, Resource } from '#kernel/resource.ts'
import { LeadSection as LeadPart, leadIsUsable } from '#modules/crm/calling/lead-section.web.tsx'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadNotesQueryOptions } from '#modules/crm/contacts/data.web.ts'
import type { adviceRequest } from '#modules/documents/advice/advice-request.ts'
import type { appStatus } from '#modules/portal/packs/app-status.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { card } from '../cards/card.ts'
import type { product } from '../catalogue/plan.ts'
import { insuranceSale } from '../customers/insurance-sale.ts'
import { InvoiceChip } from '../invoices/chip.web.tsx'
import type { invoice } from '../invoices/invoice.ts'
import { QuoteChip } from '../quotes/chip.web.tsx'
import type { quote } from '../quotes/quote.ts'
import { SubscriptionChip } from '../subscriptions/chip.web.tsx'
import { describeSubscriptionInterval } from '../subscriptions/data.web.ts'
import type { subscription } from '../subscriptions/subscription.ts'
import css from './orders.module.css'

const Congratulations = lazyComponent(() => import('../congratulations/congratulations.web.tsx'))

type Lead = RecordOf<typeof contact>

/** Returns a function that congratulates the user on a sale, and the dialog to render. */
function useCongratulations(): readonly [(sold: string) => void, ReactNode] {
  const [sold, setSold] = useState<string>()
  return [
    setSold,
    sold !== undefined && (
      <Suspense fallback={null}>
        <Congratulations sold={sold} onClose={() => setSold(undefined)} />
      </Suspense>
    ),
  ]
}

export default function LeadSalesActions({ record: lead }: { readonly record: Lead }) {
  const customer = lead.customer ? /\/(\d+)$/.exec(lead.customer)?.[1] : undefined
  return (
    <LeadPart title="Sales">
      <Group gap="xs">
        <Button component={Link} to={`/crm/contact/sale/${lead.id}`} size="xs" variant="default">
          {customer ? 'Add quote or card' : 'Create quote'}
        </Button>
        {customer && (
          <Anchor component={Link} to={`/crm/customer/${customer}`} size="sm">
            Customer page
          </Anchor>
        )}
      </Group>
      <Insurance lead={lead} />
      <CustomerRecords lead={lead} />
    </LeadPart>
  )
}

interface Found<R extends Resource> {
  readonly total: number
  readonly rows: readonly RecordOf<R>[]
}

/** Response of `GET contacts/{id}/customer_records`. A list that the reader may not see is null. */
interface LeadCustomerRecords {
  readonly applications: Found<typeof appStatus> | null
  readonly cards: Found<typeof card> | null
  readonly webDocuments: Found<typeof adviceRequest> | null
  readonly invoices: Found<typeof invoice> | null
  readonly quotes: Found<typeof quote> | null
  readonly subscriptions: Found<typeof subscription> | null
  readonly products: Found<typeof product> | null
}

/**
 * Everything sold to the lead and used by its client. It loads in one request once the lead can be worked: the first
 * screen has loaded and no outcome is being saved.
 */
function CustomerRecords({ lead }: { readonly lead: Lead }) {
  const places = useBillingUrls()
  const url = `${contact.url}/${lead.id}/customer_records`
  const found = useQuery({
    queryKey: [url, lead.customer, lead.client] as const,
    queryFn: async ({ signal }) => {
      await leadIsUsable()
      return callApi<LeadCustomerRecords>('GET', url, undefined, { signal })
    },
    enabled: Boolean(lead.customer ?? lead.client),
  }).data
  if (!found) return null
  const { applications, cards, webDocuments, invoices, quotes, subscriptions, products } = found
  return (
    <>
      <Records title="Applications" of={applications}>
        {(one) => (
          <>
            {one.product.name} <span>{one.hasLapsed ? 'lapsed' : one.status === 1 ? 'active' : 'not active'}</span>
          </>
        )}
      </Records>
      <Records title="Quotes" of={quotes}>
        {(one) => (
          <>
            <Anchor component={Link} to={places.quote(one.id)} size="sm">
              {one.reference}
            </Anchor>{' '}
            <QuoteChip of={one} /> {formatMoney(one.total, one.currency)}
          </>
        )}
      </Records>
      <Records title="Subscriptions" of={subscriptions}>
        {(one) => (
          <>
            <Anchor component={Link} to={places.subscription(one.id)} size="sm">
              {formatMoney(one.amount, one.currency)} {describeSubscriptionInterval(one)}
            </Anchor>{' '}
            <SubscriptionChip of={one} />
          </>
        )}
      </Records>
      <Records title="Products" of={products}>
        {(one) => one.name}
      </Records>
      <Records title="Invoices" of={invoices}>
        {(one) => (
          <>
            <Anchor component={Link} to={places.invoice(one.id)} size="sm">
              {one.number || 'Draft'}
            </Anchor>{' '}
            <InvoiceChip of={one} /> {formatMoney(one.total, one.currency)}
          </>
        )}
      </Records>
      <Records title="Cards" of={cards}>
        {(one) => `${one.brand} ending in ${one.last4}, expires ${two(one.expMonth)}/${one.expYear}`}
      </Records>
      <Records title="Web documents" of={webDocuments}>
        {(one) => `${one.document.documentNumber}: ${one.document.title}`}
      </Records>
    </>
  )
}

const two = (n: number) => String(n).padStart(2, '0')

interface RecordsProps<R extends Resource> {
  readonly title: string
  readonly of: Found<R> | null
  readonly children: (one: RecordOf<R>) => ReactNode
}

/** One list of a lead's records. An empty list, or one that the reader may not see, is omitted. */
function Records<R extends Resource>({ title, of, children }: RecordsProps<R>) {
  if (!of?.rows.length) return null
  const more = of.total - of.rows.length
  return (
    <section aria-label={title}>
      <Text component="h3" size="sm" fw={600}>
        {title}
      </Text>
      <ul className={css.records}>
        {of.rows.map((one) => (
          <li key={one.id}>{children(one)}</li>
        ))}
        {more > 0 && <li>and {more} more</li>}
      </ul>
    </section>
  )
}

function Insurance({ lead }: { readonly lead: Lead }) {
  const [open, setOpen] = useState(false)
  const queries = useQueryClient()
  const url = `${contact.url}/${lead.id}/insurance_sales`
  const asked = queryOptions({
    queryKey: [url, 'of lead'] as const,
    queryFn: ({ signal }) => callApi<Collection<RecordOf<typeof insuranceSale>>>('GET', url, undefined, { signal }),
  })
  const sold = useQuery(asked).data?.['hydra:member'] ?? []
  const [congratulate, congratulations] = useCongratulations()
  const saved = () => {
    setOpen(false)
    congratulate(`Insurance sold to ${lead.companyName || lead.name || 'the lead'}.`)
    void queries.invalidateQueries({ queryKey: asked.queryKey })
    void queries.invalidateQueries({ queryKey: leadNotesQueryOptions(lead.id).queryKey })
  }
  return (
    <>
      {sold.map((s) => (
        <Text key={s.id} size="sm" className={css.sold}>
          {s.policyType} insurance, {formatMoney(Math.round(Number(s.price) * 100), 'GBP')},{' '}
          <DateTimeText at={s.createdAt ?? ''} />
        </Text>
      ))}
      <Button size="xs" variant="subtle" onClick={() => setOpen(true)}>
        Record insurance sale
      </Button>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Record insurance sale" size={440}>
        <ResourceForm
          resource={insuranceSale}
          fields={['policyType', 'price']}
          extra={{ contact: lead['@id'] }}
          action="Record sale"
          onCancel={() => setOpen(false)}
          onSaved={saved}
        />
      </Dialog>
      {congratulations}
    </>
  )
}
