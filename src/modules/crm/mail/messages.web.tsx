import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import type { RecordOf } from '#kernel/resource.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import ReceivedMailDetails, { ReceivedMessage } from '../received-mail/received.web.tsx'
import { receivedKindLabel } from '../received-mail/reports.ts'
import { MAIL_STATES, mailMessage } from './message.ts'
import { MAIL_STATE_COLOURS } from './states.web.ts'

const id = z.string().regex(/^\d*$/).default('')
const LIST = listUrlSchema({ state: z.string().default(''), recipient: z.string().default(''), run: id, message: id })

type Message = RecordOf<typeof mailMessage>

const labelOf = (state: string | null) => MAIL_STATES.find(({ value }) => value === state)?.label ?? ''
const State = ({ of }: { readonly of: Message }) => (
  <StatusChip meaning={MAIL_STATE_COLOURS[of.kind && of.kind !== 'answer' ? of.kind : (of.state ?? '')] ?? 'plain'}>
    {receivedKindLabel(of.kind) ?? labelOf(of.state)}
  </StatusChip>
)

/** All e-mails that the user may see, with status, text and a resend button. */
export default function MailMessagesPage() {
  const [state, set] = useUrlState(LIST)
  const { message: open, ...list } = state
  return (
    <Page title="E-mails">
      <DataList
        resource={mailMessage}
        label="E-mails"
        state={list}
        onState={set}
        search="Search by recipient"
        searchBy="recipient"
        filters={['state']}
        refreshMs={5000}
        empty={
          <EmptyState title="No e-mails yet">
            E-mails sent by the portal and replies to them are listed here.
          </EmptyState>
        }
        columns={[
          { key: 'subject', link: true },
          { key: 'recipient', title: 'Recipient', render: (m) => (m.incoming ? m.sender : m.recipient) },
          { key: 'state', tight: true, render: (m) => <State of={m} /> },
          { key: 'createdAt', title: 'Date', render: (m) => <DateTimeText at={m.createdAt} /> },
          { key: 'author', title: 'Author', inCard: false },
        ]}
        onOpen={(m) => set({ message: String(m.id) })}
      />
      <Letter id={open} onClose={() => set({ message: '' })} />
    </Page>
  )
}

function Letter({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const [busy, setBusy] = useState(false)
  const one = useQuery({
    queryKey: [mailMessage.url, 'one', id],
    ...urlQueryOptions<Message>(`${mailMessage.url}/${id}`),
    enabled: id !== '',
  })
  const answers = useQuery({
    queryKey: [mailMessage.url, 'answers', id],
    ...urlQueryOptions<Collection<Message>>(`${mailMessage.url}?answerTo=${id}`),
    enabled: id !== '',
  })
  const m = one.data
  const again = async () => {
    setBusy(true)
    try {
      await callApi('POST', `/api/email/message/resend/${id}`)
      toast.info('The e-mail is being sent')
      await queries.invalidateQueries({ queryKey: [mailMessage.url] })
      onClose()
    } catch (e) {
      toast.failed(e)
    } finally {
      setBusy(false)
    }
  }
  const mayGoAgain = m && !m.incoming && !m.confidential && !['waiting', 'sending'].includes(m.state ?? '')
  return (
    <Dialog opened={id !== ''} onClose={onClose} title={m?.subject || 'E-mail'} size={720} addressed>
      {one.isError && <ErrorState error={one.error} onRetry={() => void one.refetch()} />}
      {one.isPending && id !== '' && <LoadingRows rows={6} />}
      {m && (
        <Stack gap="sm">
          <Group gap="xs">
            <State of={m} />
            <Text size="sm">
              {m.incoming ? `From ${m.sender}` : `To ${m.recipient}`} · <DateTimeText at={m.createdAt} />
            </Text>
          </Group>
          {m.error && <Alert color="yellow">{m.error}</Alert>}
          {m.state === 'perhaps sent' && (
            <Text size="sm">
              The mail server did not confirm this e-mail. It may have arrived, so it is not resent automatically.
            </Text>
          )}
          {m.contact && (
            <Anchor component={Link} to={`/crm/contact/view/${m.contact.id}`} size="sm">
              {m.contact.companyName || m.contact.name || `Lead ${m.contact.id}`}
            </Anchor>
          )}
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {m.body}
          </Text>
          {m.received && <ReceivedMailDetails mail={m.received} />}
          {!m.incoming && m.attachments && m.attachments.length > 0 && (
            <Text size="sm">Attachments: {m.attachments.join(', ')}</Text>
          )}
          {answers.data?.['hydra:member'].map((a) => (
            <ReceivedMessage key={a.id} message={a} />
          ))}
          <DialogActions>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            {mayGoAgain && (
              <Button loading={busy} onClick={() => void again()}>
                Send again
              </Button>
            )}
          </DialogActions>
        </Stack>
      )}
    </Dialog>
  )
}
