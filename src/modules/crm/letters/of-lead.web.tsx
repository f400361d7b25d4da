import { Anchor, Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import type { Collection } from '#web/api/client.ts'
import { reading } from '#web/api/reading.ts'
import { lazily } from '#web/ui/lazily.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useEver } from '#web/ui/use-ever.ts'
import { type Lead, leadName } from '../contacts/data.web.ts'
import { mailTo } from '../contacts/mail-to.ts'
import { MESSAGE_STATES, message } from '../mail/message.ts'
import { LETTER_LOOKS } from '../mail/states.web.ts'

const Compose = lazily(() => import('../mail/compose.web.tsx'))
const PrintForLead = lazily(() => import('./for-lead.web.tsx'))

/** Recent e-mails with a lead, with buttons to write an e-mail or print a letter. */
export function LettersOfLead({ lead }: { readonly lead: Lead }) {
  const [writing, setWriting] = useState(false)
  const [printing, setPrinting] = useState(false)
  const [wasOpened, wasPrinting] = [useEver(writing), useEver(printing)]
  const found = useQuery({
    queryKey: [message.url, 'of lead', lead.id],
    ...reading<Collection<RecordOf<typeof message>>>(`${message.url}?contact=${lead.id}&itemsPerPage=5`),
  })
  return (
    <>
      {found.data?.['hydra:member'].map((m) => (
        <Group key={m.id} gap="xs">
          <Anchor component={Link} to={`/email/messages?message=${m.id}`} size="sm">
            {m.subject || 'No subject'}
          </Anchor>
          <StatusChip meaning={LETTER_LOOKS[m.state ?? ''] ?? 'plain'}>
            {MESSAGE_STATES.find(({ value }) => value === m.state)?.label ?? ''}
          </StatusChip>
        </Group>
      ))}
      <Group gap="xs">
        {mailTo(lead.email) && (
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
