import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER } from '#kernel/roles.ts'
import type { client } from '#modules/portal/clients/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { Moment } from '#web/dates/relative.tsx'
import { lazily } from '#web/ui/lazily.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useEver } from '#web/ui/use-ever.ts'
import { MESSAGE_STATES, message } from './message.ts'
import { LETTER_LOOKS } from './states.web.ts'

const Compose = lazily(() => import('./compose.web.tsx'))
const SHOWN = 5

/** Recent e-mails with a client, with a button to write another. */
export default function LettersOfClient({ record }: { readonly record: RecordOf<typeof client> }) {
  const actor = useActor()
  const [writing, setWriting] = useState(false)
  const wasOpened = useEver(writing)
  const isTheirs = record.id !== PROVIDER && hasRole(actor, 'ROLE_STAFF')
  const list = useList(message, { account: record['@id'], itemsPerPage: SHOWN }, { enabled: isTheirs })
  if (!isTheirs) return null
  const found = list.data?.['hydra:member'] ?? []
  return (
    <section className={page.card} aria-labelledby="client-mail">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="client-mail">
          E-mails
        </Title>
        <Button
          variant="default"
          leftSection={<IconMail size={16} aria-hidden />}
          disabled={record.retired}
          onClick={() => setWriting(true)}
        >
          {record.retired ? 'Retired clients can’t be written to' : 'Write an e-mail'}
        </Button>
      </Group>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={1} />}
      {list.data && found.length === 0 && <Text c="dimmed">No e-mails yet</Text>}
      <Stack gap="xs">
        {found.map((m) => (
          <Group key={m.id} gap="xs">
            <StatusChip meaning={LETTER_LOOKS[m.state ?? ''] ?? 'plain'}>
              {MESSAGE_STATES.find(({ value }) => value === m.state)?.label ?? ''}
            </StatusChip>
            <Anchor component={Link} to={`/email/messages?message=${m.id}`} style={{ overflowWrap: 'anywhere' }}>
              {m.subject}
            </Anchor>
            <Text size="sm" c="dimmed">
              <Moment at={m.createdAt} />
            </Text>
          </Group>
        ))}
      </Stack>
      {wasOpened && (
        <Suspense>
          <Compose
            to={{ kind: 'client', '@id': record['@id'], id: record.id, name: record.company ?? 'the client' }}
            opened={writing}
            onClose={() => setWriting(false)}
          />
        </Suspense>
      )}
    </section>
  )
}
