import { Anchor, Button, Group, Text } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { LeadSection as LeadPart } from '#modules/crm/calling/lead-section.web.tsx'
import { contact } from '#modules/crm/contacts/contact.ts'
import { leadNotesQueryOptions } from '#modules/crm/contacts/data.web.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { useCongratulations } from '../congratulations/use-congratulations.web.tsx'
import { insuranceSale } from '../customers/insurance-sale.ts'
import css from './orders.module.css'

type Lead = RecordOf<typeof contact>

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
    </LeadPart>
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
