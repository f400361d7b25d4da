import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { CallBlockReasonContext, PhoneLink } from '#web/ui/phone-link.tsx'
import { DoNotCallNumberText } from '../contacts/contact-parts.web.tsx'
import { leadQueryOptions } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/usable-email.ts'
import { useCallBlockReason } from '../contacts/use-held-leads.web.ts'
import OtherLeadContacts from './people.web.tsx'

/** A lead's contact person and other people, for the pages of a customer or quote. */
export function LeadPeople({ lead: id }: { readonly lead: number }) {
  const lead = useQuery(leadQueryOptions(id)).data
  const barred = useCallBlockReason([id])({ id })
  if (!lead) return null
  const email = usableEmail(lead.email)
  const number = lead.phone || lead.mobile
  return (
    <CallBlockReasonContext value={barred}>
      <div>
        <Text size="sm" fw={650}>
          {lead.name || 'Name unknown'}
          {lead.jobTitle && (
            <Text span size="xs" c="dimmed">
              {' '}
              {lead.jobTitle}
            </Text>
          )}
        </Text>
        <Group gap="4px 12px">
          {number &&
            (lead.doNotCall ? (
              <DoNotCallNumberText number={number} />
            ) : (
              <PhoneLink number={number} who={lead.name ?? ''} />
            ))}
          {email && (
            <Anchor href={`mailto:${email}`} size="sm">
              {email}
            </Anchor>
          )}
        </Group>
        <OtherLeadContacts lead={lead} />
      </div>
    </CallBlockReasonContext>
  )
}
