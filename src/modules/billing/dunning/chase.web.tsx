import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Button, Group, Menu, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { iriOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { callApi, isRepeatedRequest } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import { invoice } from '../invoices/invoice.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { useDunningMutation } from './data.web.ts'
import { overdueInvoice } from './overdue.ts'

/** Open invoice to chase, from the overdue list or its own page. */
interface ChasedInvoice {
  readonly id: number
  readonly number: string
  readonly amountDue: number
  readonly currency: 'GBP' | 'EUR' | 'USD'
  readonly notes?: string | null
}

/** Button that queues a reminder at once. Its delivery is shown with the invoice's reminders. */
export function SendReminderButton({ of, compact }: { readonly of: ChasedInvoice; readonly compact?: boolean }) {
  const send = useDunningMutation((again: boolean) =>
    callApi('POST', `${iriOf(overdueInvoice, of.id)}/remind`, { again }),
  )
  const isRepeated = isRepeatedRequest(send.error)
  return (
    <Button
      {...(compact ? { size: 'compact-sm', variant: 'subtle' } : { variant: 'default' })}
      loading={send.isPending}
      aria-label={compact ? `${isRepeated ? 'Send again: remind' : 'Remind'} about ${of.number}` : undefined}
      onClick={() =>
        send.mutate(isRepeated, {
          onSuccess: () => toast.info(`The reminder for ${of.number} is being e-mailed`, 'safe'),
          onError: (e: Error) => toast.failed(e),
        })
      }
    >
      {isRepeated ? 'Send again' : compact ? 'Remind' : 'Send a reminder'}
    </Button>
  )
}

type Asking = 'promise' | 'pause' | 'note'

/** Actions for a row of the overdue list: a button for the reminder, and a menu for the others. */
export function ChaseActions({ of }: { readonly of: ChasedInvoice }) {
  const [asking, setAsking] = useState<Asking>()
  const mayPause = hasRole(useActor(), FINANCE_ROLES)
  return (
    <Group gap={4} wrap="nowrap">
      <SendReminderButton of={of} compact />
      <Menu withinPortal position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" aria-label={`More actions for ${of.number}`}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayPause && <Menu.Item onClick={() => setAsking('promise')}>Record a promise</Menu.Item>}
          {mayPause && <Menu.Item onClick={() => setAsking('pause')}>Pause reminders</Menu.Item>}
          <Menu.Item onClick={() => setAsking('note')}>Note</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChaseDialog of={of} asking={asking} onClose={() => setAsking(undefined)} />
    </Group>
  )
}

interface ChaseDialogProps {
  readonly of: ChasedInvoice
  readonly asking: Asking | undefined
  readonly onClose: () => void
}

export function ChaseDialog({ of, asking, onClose }: ChaseDialogProps) {
  const titles = { promise: 'Promise to pay', pause: 'Pause reminders for', note: 'Note on' } as const
  return (
    <Dialog
      opened={asking !== undefined}
      onClose={onClose}
      title={asking ? `${titles[asking]} ${of.number}` : ''}
      size="32rem"
    >
      {asking === 'promise' && <PromiseForm of={of} onDone={onClose} />}
      {asking === 'pause' && <PauseForm of={of} onDone={onClose} />}
      {asking === 'note' && <NoteForm of={of} onDone={onClose} />}
    </Dialog>
  )
}

interface FormProps {
  readonly of: ChasedInvoice
  readonly onDone: () => void
}

interface ChaseFormProps {
  readonly children: ReactNode
  readonly button: string
  readonly dirty: boolean
  readonly ready: boolean
  readonly send: () => Promise<unknown>
  readonly onDone: () => void
}

function ChaseForm({ children, button, dirty, ready, send, onDone }: ChaseFormProps) {
  const save = useDunningMutation(send)
  const unsaved = useUnsavedChangesGuard(!save.isSuccess && dirty)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        e.stopPropagation()
        if (ready) save.mutate(undefined, { onSuccess: onDone })
      }}
    >
      {unsaved}
      <Stack>
        {save.error && <ErrorText>{errorSentence(save.error)}</ErrorText>}
        {children}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending} disabled={!ready}>
          {button}
        </Button>
      </DialogActions>
    </form>
  )
}

function PromiseForm({ of, onDone }: FormProps) {
  const [on, setOn] = useState<string | null>(null)
  const [amount, setAmount] = useState<number | null>(of.amountDue)
  return (
    <ChaseForm
      button="Record promise"
      dirty={on !== null || amount !== of.amountDue}
      ready={on !== null && amount !== null}
      send={() => callApi('POST', `${iriOf(overdueInvoice, of.id)}/promise`, { on, amount })}
      onDone={onDone}
    >
      <Text size="sm">
        Reminders pause until the end of that day. Whether the promise is kept is calculated from payments.
      </Text>
      <DateField label="Promised for (required)" value={on} onChange={setOn} />
      <MoneyInput
        label={`Amount (required), ${formatMoney(of.amountDue, of.currency)} is due`}
        value={amount}
        onChange={setAmount}
      />
    </ChaseForm>
  )
}

function PauseForm({ of, onDone }: FormProps) {
  const [until, setUntil] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  return (
    <ChaseForm
      button="Pause reminders"
      dirty={until !== null || reason !== ''}
      ready={until !== null && reason.trim() !== ''}
      send={() => callApi('POST', `${iriOf(invoice, of.id)}/dunning/pause`, { until, reason: reason.trim() })}
      onDone={onDone}
    >
      <Text size="sm">
        Until the end of the day you choose, the card will not be charged, no reminders will be sent and access will not
        be restricted.
      </Text>
      <DateField label="Pause until (required)" value={until} onChange={setUntil} />
      <TextInput
        label="Reason (required)"
        maxLength={500}
        value={reason}
        onChange={(e) => setReason(e.currentTarget.value)}
      />
    </ChaseForm>
  )
}

function NoteForm({ of, onDone }: FormProps) {
  const [notes, setNotes] = useState(of.notes ?? '')
  return (
    <ChaseForm
      button="Save note"
      dirty={notes !== (of.notes ?? '')}
      ready={notes !== (of.notes ?? '')}
      send={() => callApi('POST', `${iriOf(overdueInvoice, of.id)}/note`, { notes: notes.trim() })}
      onDone={onDone}
    >
      <Textarea
        label="Note"
        autosize
        minRows={3}
        maxLength={2000}
        value={notes}
        onChange={(e) => setNotes(e.currentTarget.value)}
      />
    </ChaseForm>
  )
}
