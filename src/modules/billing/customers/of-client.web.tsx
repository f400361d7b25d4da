import { Anchor, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import type { client } from '#modules/portal/clients/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import page from '#web/ui/page.module.css'
import { SELLING_ROLES } from '../rights.ts'
import { customer } from './customer.ts'
import { formatCustomerName } from './data.web.ts'

/** Sales view of a client: its leads and its customer records. */
export default function ClientLeadsAndCustomers({ record }: { readonly record: RecordOf<typeof client> }) {
  return hasRole(useActor(), SELLING_ROLES) ? <Ways of={record} /> : null
}

function Ways({ of }: { readonly of: RecordOf<typeof client> }) {
  const asked = { client: of['@id'], retired: false }
  const leads = useList(contact, asked).data?.['hydra:member'] ?? []
  const customers = useList(customer, asked).data?.['hydra:member'] ?? []
  const ways = [
    ...customers.map((c) => ({
      to: `/crm/customer/${c.id}`,
      words: `${formatCustomerName(c)}: customer, with quotes and cards`,
    })),
    ...leads.map((l) => ({
      to: `/crm/contact/view/${l.id}`,
      words: `${l.companyName ?? l.name ?? `Lead ${l.id}`}: lead, with calls and notes`,
    })),
  ]
  if (!ways.length) return null
  return (
    <section className={page.card} aria-labelledby="sales">
      <Title order={2} size="h4" id="sales">
        Sales
      </Title>
      {ways.map(({ to, words }) => (
        <Anchor key={to} component={Link} to={to}>
          {words}
        </Anchor>
      ))}
    </section>
  )
}
