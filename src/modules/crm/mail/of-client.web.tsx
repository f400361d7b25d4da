import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import type { client } from '#modules/portal/clients/client.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { useWasEverTrue } from '#web/ui/use-was-ever-true.ts'
import { ReceivedMessage } from '../received-mail/received.web.tsx'
import { MAIL_STATES, mailMessage } from './message.ts'
import { MAIL_STATE_COLOURS } from './states.web.ts'

const Compose = lazyComponent(() => import('./compose.web.tsx'))
const SHOWN_MESSAGES = 5

/** Recent e-mails to and from a client, with a button to write another. */
export default function ClientMail({ record }: { readonly record: RecordOf<typeof client> }) {
  const actor = useActor()
  const [writing, setWriting] = useState(false)
  const wasOpened = useWasEverTrue(writing)
  const isTheirs = record.id !== PROVIDER_CLIENT_ID && hasRole(actor, 'ROLE_STAFF')
  const list = useList(mailMessage, { account: record['@id'], itemsPerPage: SHOWN_MESSAGES }, { enabled: isTheirs })
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
          {record.retired ? 'You can’t write to a retired client' : 'Write an e-mail'}
        </Button>
      </Group>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={1} />}
      {list.data && found.length === 0 && <Text c="dimmed">No e-mails yet</Text>}
      <Stack gap="xs">
        {found.map((m) =>
          m.incoming ? (
            <ReceivedMessage key={m.id} message={m} clamp={6} />
          ) : (
            <Group key={m.id} gap="xs">
              <StatusChip meaning={MAIL_STATE_COLOURS[m.state ?? ''] ?? 'plain'}>
                {MAIL_STATES.find(({ value }) => value === m.state)?.label ?? ''}
              </StatusChip>
              <Anchor component={Link} to={`/email/messages?message=${m.id}`} style={{ overflowWrap: 'anywhere' }}>
                {m.subject}
              </Anchor>
              <Text size="sm" c="dimmed">
                <DateTimeText at={m.createdAt} />
              </Text>
            </Group>
          ),
        )}
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
