import { Button, Group, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { LeadSection } from '#modules/crm/calling/lead-section.web.tsx'
import { type contact, MARKETING_BARS } from '#modules/crm/contacts/contact.ts'
import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { marketingConsent } from './consent.ts'
import { ConsentDetails } from './consents.web.tsx'

/** Shows whether marketing may be e-mailed to a lead, with the lead's consents and forms to record and withdraw one. */
export default function LeadConsents({ record: lead }: { readonly record: RecordOf<typeof contact> }) {
  const queries = useQueryClient()
  const [open, setOpen] = useState<RecordOf<typeof marketingConsent> | 'new'>()
  const address = (lead.email ?? '').trim()
  const all = useList(marketingConsent, { address, withdrawn: false }).data?.['hydra:member'] ?? []
  if (!address.includes('@')) return null
  const given = all.find((one) => one.address?.toLowerCase() === address.toLowerCase())
  const close = () => {
    setOpen(undefined)
    void queries.invalidateQueries()
  }
  const state = lead.marketingBar
    ? `${MARKETING_BARS[lead.marketingBar]}.`
    : given
      ? `Marketing may be e-mailed (consent of ${formatIsoDateAsUk(given.givenOn)}).`
      : 'Marketing may be e-mailed to this company until it objects.'
  return (
    <LeadSection title="Marketing e-mails">
      <Text size="sm">{state}</Text>
      <Group>
        <Button size="xs" variant="default" onClick={() => setOpen(given ?? 'new')}>
          {given ? 'Withdraw consent' : 'Record consent'}
        </Button>
      </Group>
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={open === 'new' ? 'Record consent' : 'Withdraw consent'}
      >
        {open === 'new' && (
          <ResourceForm
            resource={marketingConsent}
            prefill={{ address, contact: lead['@id'] }}
            onCancel={() => setOpen(undefined)}
            onSaved={close}
          />
        )}
        {open && open !== 'new' && <ConsentDetails of={open} onClose={close} />}
      </Dialog>
    </LeadSection>
  )
}
