import { Alert, Button, Group, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { iriOf, type RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { toast } from '#web/ui/toast.ts'
import { supportTicket } from './ticket.ts'

type Ticket = RecordOf<typeof supportTicket>
const LIST = listUrlSchema({
  state: z.string().default('open'),
  client: z.string().default(''),
  desk: z.string().default(''),
})

/** Page with all clients' support tickets. */
export default function TicketsPage() {
  const [state, setState] = useUrlState(LIST)
  const [open, setOpen] = useState<Ticket>()
  const close = () => setOpen(undefined)
  return (
    <Page title="Support tickets">
      <DataList
        resource={supportTicket}
        label="Support tickets"
        state={state}
        onState={setState}
        filters={['state', 'desk']}
        columns={['subject', 'client', 'name', 'createdAt', 'state', { key: 'desk', wide: true }]}
        onOpen={setOpen}
      />
      <Dialog opened={open !== undefined} onClose={close} title={open?.subject ?? 'Ticket'}>
        {open && <Answer ticket={open} onClose={close} />}
      </Dialog>
    </Page>
  )
}

function Answer({ ticket, onClose }: { readonly ticket: Ticket; readonly onClose: () => void }) {
  const queries = useQueryClient()
  const stored = useStoredInput(`answer to ticket ${ticket.id}`, () => ticket.answer)
  const answer = stored.input
  const [busy, setBusy] = useState(false)
  const isOpen = ticket.state === 'open'
  const act = async (path: string, body: Record<string, unknown>) => {
    setBusy(true)
    try {
      await callApi('POST', `${iriOf(supportTicket, ticket.id)}/${path}`, body)
      if (path === 'answer') stored.discard()
      await queries.invalidateQueries({ queryKey: [supportTicket.url] })
      onClose()
    } catch (e) {
      toast.failed(e, () => void act(path, body))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Text size="sm" c="dimmed">
        {[ticket.name, ticket.email, ticket.page, ticket.reference].filter(Boolean).join(' · ')}
      </Text>
      <Desk ticket={ticket} busy={busy} onHandOn={() => void act('hand-on', {})} />
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} my="md">
        {ticket.message}
      </Text>
      <RestoredInputNotice of={stored} />
      <Textarea
        label="Answer"
        autosize
        minRows={4}
        readOnly={!isOpen}
        value={answer}
        onChange={(e) => stored.change(e.currentTarget.value)}
      />
      <Group mt="md" justify="flex-end">
        <Button variant="default" loading={busy} onClick={() => void act(isOpen ? 'close' : 'reopen', {})}>
          {isOpen ? 'Close without answering' : 'Reopen'}
        </Button>
        {isOpen && (
          <Button loading={busy} disabled={!answer.trim()} onClick={() => void act('answer', { answer })}>
            Answer by e-mail
          </Button>
        )}
      </Group>
    </>
  )
}

interface DeskProps {
  readonly ticket: Ticket
  readonly busy: boolean
  readonly onHandOn: () => void
}

/** Status of a ticket at the help desk. A refused ticket can be sent again. */
function Desk({ ticket: { desk, deskNumber, deskError }, busy, onHandOn }: DeskProps) {
  if (desk === 'kept') return null
  if (desk === 'handed on')
    return <Text size="sm">{`With the help desk${deskNumber ? `, number ${deskNumber}` : ''}.`}</Text>
  return (
    <Alert mt="sm" color={desk === 'refused' ? 'red' : 'yellow'} title={DESK_WORDS[desk]}>
      {deskError && <Text size="sm">{deskError}</Text>}
      {desk === 'refused' && (
        <Button mt="xs" variant="default" loading={busy} onClick={onHandOn}>
          Send again
        </Button>
      )}
    </Alert>
  )
}

const DESK_WORDS = {
  waiting: 'Being sent to the help desk',
  refused: 'Refused by the help desk',
} as const
