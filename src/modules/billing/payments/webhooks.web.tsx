import '@mantine/core/styles/Code.layer.css'
import { Anchor, Button, Code, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { z } from 'zod'
import { canRunActionInState } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { useApiRecord } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { webhookEvent } from './charge.ts'
import { WebhookEventChip } from './chips.web.tsx'
import { usePaymentMutation } from './data.web.ts'
import { paymentServiceName } from './names.ts'
import { ActionErrorAlert } from './refund-form.web.tsx'

const LIST = listUrlSchema({
  state: z.enum(['', 'received', 'done', 'ignored', 'failed']).default(''),
})
const OPEN = z.object({ open: z.string().regex(/^\d*$/).default('') })

export default function PaymentEventsPage() {
  const [state, set] = useUrlState(LIST)
  const [{ open }, setOpen] = useUrlState(OPEN, { steps: true })
  const close = () => setOpen({ open: '' })
  return (
    <Page title="Payment events">
      <DataList
        resource={webhookEvent}
        label="Payment events"
        state={state}
        onState={set}
        filters={['state']}
        empty={
          <EmptyState title="No events yet">
            Disputes, refunds made directly with the payment service, and payments that fail after they were accepted
            appear here.
          </EmptyState>
        }
        columns={[
          { key: 'type', title: 'Event type', link: true },
          { key: 'state', title: 'Status', tight: true, render: (e) => <WebhookEventChip state={e.state} /> },
          {
            key: 'charge',
            title: 'Payment',
            render: (e) =>
              e.charge ? `Payment ${e.charge.id}, ${formatMoney(e.charge.amount, e.charge.currency)}` : '—',
          },
          { key: 'gateway', title: 'Payment service', wide: true, render: (e) => paymentServiceName(e.gateway) },
          { key: 'createdAt', title: 'Received', render: (e) => <DateTimeText at={e.createdAt} /> },
          { key: 'tries', title: 'Attempts', wide: true },
        ]}
        onOpen={(e) => setOpen({ open: String(e.id) })}
      />
      <Dialog opened={open !== ''} onClose={close} title="Payment event" addressed>
        {open && <Event id={open} onDone={close} />}
      </Dialog>
    </Page>
  )
}

function Event({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const actor = useActor()
  const one = useApiRecord(webhookEvent, id)
  const replay = usePaymentMutation(() => callApi('POST', `${webhookEvent.url}/${id}/replay`))
  const e = one.data
  if (!e)
    return one.isError ? <ErrorState error={one.error} onRetry={() => void one.refetch()} /> : <LoadingRows rows={4} />
  return (
    <>
      <Stack gap="sm">
        <span>
          <WebhookEventChip state={e.state} /> {e.type}
        </span>
        <Text size="sm">
          {paymentServiceName(e.gateway)}, <DateTimeText at={e.createdAt} />, {e.eventId}
        </Text>
        {e.error && <Text>{e.error}</Text>}
        {e.charge && (
          <Anchor component={Link} to={`/crm/charge/${e.charge.id}`}>
            Payment {e.charge.id}
          </Anchor>
        )}
        <Text size="sm">
          Processing the event again requests the current status of the payment from {paymentServiceName(e.gateway)} and
          applies that status. You can repeat this safely.
        </Text>
        <Code block tabIndex={0} role="region" aria-label="Event content">
          {JSON.stringify(e.payload, null, 2)}
        </Code>
        <ActionErrorAlert error={replay.error} title="Not processed" />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        {canRunActionInState(actor, 'replay', webhookEvent) && (
          <Button
            loading={replay.isPending}
            onClick={() =>
              replay.mutate(undefined, { onSuccess: () => toast.info('The event is being processed again.') })
            }
          >
            Process again
          </Button>
        )}
      </DialogActions>
    </>
  )
}
