import { Button, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { lastIriSegment } from '#kernel/iri.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import css from '../billing.module.css'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import type { invoice } from '../invoices/invoice.ts'
import { customer } from './customer.ts'
import type { CustomerRecord } from './data.web.ts'

/** Role that sets up clients. */
const SET_UP_ROLE = 'ROLE_CLIENTS_ADMIN'

/** Part of the response of `GET /api/crm/pack_setup/{id}`. */
interface SetUpProgress {
  readonly packs: readonly string[]
  readonly administrator: { readonly name: string } | null
  readonly invited: boolean
  readonly signedIn: string | null
}

const setUpPath = (of: CustomerRecord): string => {
  if (of.client) return `/crm/pack-setup/${lastIriSegment(of.client)}`
  const lead = of.contact ? `&lead=${of.contact.id}` : ''
  return `/crm/pack-setup?customer=${of.id}${lead}`
}

/** Link to set up a customer as a client; users without the role see a sentence instead. */
export function SetUpClientButton({ of }: { readonly of: CustomerRecord }) {
  return hasRole(useActor(), SET_UP_ROLE) ? (
    <Button component={Link} to={setUpPath(of)} variant="default">
      Set up the client
    </Button>
  ) : (
    <Text size="sm">A clients administrator sets up the client and was notified.</Text>
  )
}

/** Set-up of a customer as a client, until its administrator has signed in: pack, administrator, first document. */
export function ClientSetUp({ of }: { readonly of: CustomerRecord }) {
  const id = of.client ? lastIriSegment(of.client) : undefined
  const url = `/api/crm/pack_setup/${id}`
  const progress = useQuery({
    queryKey: [url],
    queryFn: ({ signal }) => callApi<SetUpProgress>('GET', url, undefined, { signal }),
    enabled: id !== undefined,
  }).data
  if (id !== undefined && (!progress || progress.signedIn !== null)) return null
  const steps = [
    ['Pack', progress?.packs.length ? progress.packs.join(', ') : 'Not added'],
    ['Administrator', progress?.administrator ? progress.administrator.name : 'Not created'],
    ['Login details', progress?.invited ? 'Sent or being sent' : 'Not sent'],
    ['First document', 'Created by the client’s administrator or a consultant, after sign-in'],
  ] as const
  return (
    <section className={page.card} aria-labelledby="set-up-client">
      <Title order={2} size="h4" id="set-up-client">
        Client set-up
      </Title>
      <ul className={css.list}>
        {steps.map(([what, state]) => (
          <li key={what} className={css.row}>
            <span>{what}</span>
            <span>{state}</span>
          </li>
        ))}
      </ul>
      <span>
        <SetUpClientButton of={of} />
      </span>
    </section>
  )
}

/** Set-up panel of a customer who has accepted a quote. */
export default function InvoiceClientSetUp({ record: of }: { readonly record: RecordOf<typeof invoice> }) {
  const isStaff = useIsProviderStaff()
  const wanted = isStaff && of.origin === 'quote' && (of.state === 'open' || of.state === 'paid')
  const buyer = useApiRecord(customer, wanted ? of.customer.id : undefined).data
  return wanted && buyer ? <ClientSetUp of={buyer} /> : null
}
