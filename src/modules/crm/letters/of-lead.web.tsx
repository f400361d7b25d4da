import { Anchor, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import type { Collection } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { lazyComponent } from '#web/ui/lazily.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useWasEverTrue } from '#web/ui/use-ever.ts'
import { type LeadRecord, leadName } from '../contacts/data.web.ts'
import { usableEmail } from '../contacts/mail-to.ts'
import { MAIL_STATES, mailMessage } from '../mail/message.ts'
import { MAIL_STATE_MEANINGS } from '../mail/states.web.ts'

const Compose = lazyComponent(() => import('../mail/compose.web.tsx'))
const PrintForLead = lazyComponent(() => import('./for-lead.web.tsx'))

/** Recent e-mails with a lead, with buttons to write an e-mail or print a letter. */
export function LeadMail({ lead }: { readonly lead: LeadRecord }) {
  const [writing, setWriting] = useState(false)
  const [printing, setPrinting] = useState(false)
  const [wasOpened, wasPrinting] = [useWasEverTrue(writing), useWasEverTrue(printing)]
  const found = useQuery({
    queryKey: [mailMessage.url, 'of lead', lead.id],
    ...urlQueryOptions<Collection<RecordOf<typeof mailMessage>>>(
      `${mailMessage.url}?contact=${lead.id}&itemsPerPage=5`,
    ),
  })
  return (
    <>
      {found.data?.['hydra:member'].map((m) => (
        <Group key={m.id} gap="xs">
          <Anchor component={Link} to={`/email/messages?message=${m.id}`} size="sm">
            {m.subject || 'No subject'}
          </Anchor>
          <StatusChip meaning={MAIL_STATE_MEANINGS[m.state ?? ''] ?? 'plain'}>
            {MAIL_STATES.find(({ value }) => value === m.state)?.label ?? ''}
          </StatusChip>
        </Group>
      ))}
      <Group gap="xs">
        {usableEmail(lead.email) && (
          <Button size="xs" variant="default" onClick={() => setWriting(true)}>
            Write an e-mail
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => setPrinting(true)}>
          Print a letter
        </Button>
      </Group>
      {wasOpened && (
        <Suspense>
          <Compose
            to={{ ...lead, kind: 'lead', name: leadName(lead) }}
            opened={writing}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      )}
      {wasPrinting && (
        <Suspense>
          <PrintForLead lead={lead} opened={printing} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
    </>
  )
}
