import { Alert, Button, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { formatMoney } from '#kernel/money.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { inputErrorSentence } from '#web/forms/sentence-for-input.ts'
import { DialogActions } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../billing.module.css'
import { type ChargeRecord, type RefundRecord, usePaymentMutation } from './data.web.ts'

/** Form for a full or partial refund. Errors are shown beside the fields, and input is retained. */
export function RefundForm({ of, onDone }: { readonly of: ChargeRecord; readonly onDone: () => void }) {
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const free = of.refundable ?? 0
  const [amount, setAmount] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [notes, setNotes] = useState('')
  const refunding = usePaymentMutation((body: object) =>
    callApi<RefundRecord>('POST', `${of['@id']}/refund`, body, { idempotencyKey: keys.keyFor(body) }),
  )
  const unsaved = useUnsavedChangesGuard(!refunding.isSuccess && (amount !== null || reason !== '' || notes !== ''))
  const money = (pence: number) => formatMoney(pence, of.currency)
  const send = () =>
    refunding.mutate(
      {
        amount,
        reason: reason.trim(),
        amountRefunded: of.amountRefunded + of.amountRefunding,
        metadata: { notes: notes.trim() },
      },
      {
        onSuccess: (made) => {
          toast.info(REFUND_STATE_MESSAGES[made.state](money(made.amount)))
          onDone()
        },
        // The request has been answered, so the next submission is a new request.
        onError: (e) => e instanceof ApiError && e.status !== 0 && keys.forget(),
      },
    )
  const tooMuch = amount !== null && amount > free ? `You can refund at most ${money(free)}` : undefined
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (amount && !tooMuch && reason.trim() && !e.currentTarget.querySelector(':invalid')) send()
      }}
    >
      {unsaved}
      <Stack gap="md">
        <Text>
          Refundable: <strong className={css.money}>{money(free)}</strong>
        </Text>
        <MoneyInput
          symbol={money(0).charAt(0)}
          label="Amount (Required)"
          value={amount}
          onChange={setAmount}
          error={tooMuch}
          autoFocus
        />
        <TextInput
          label="Reason (Required)"
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <Textarea
          label="Notes"
          description="For colleagues only; the customer does not see them."
          maxLength={1000}
          autosize
          minRows={2}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        <Text role="status" className={css.money}>
          {amount && !tooMuch
            ? `${money(amount)} will be refunded; ${money(free - amount)} will remain refundable.`
            : ' '}
        </Text>
        <ActionErrorAlert error={refunding.error} title="Not refunded" />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={refunding.isPending}
          disabled={!amount || !reason.trim() || tooMuch !== undefined}
        >
          {amount && !tooMuch ? `Refund ${money(amount)}` : 'Refund'}
        </Button>
      </DialogActions>
    </form>
  )
}

export const UNDO_TEXT =
  'For a payment that was recorded in error. Nothing is refunded. The invoice becomes due again, and so do invoices that were paid from this payment’s credit.'

interface UndoProps {
  /** URL of the action that undoes the payment or the match. */
  readonly url: string
  readonly action: string
  readonly done: string
  readonly children: ReactNode
  readonly onDone: () => void
}

/** Form that undoes a payment recorded in error, with a required reason. */
export function UndoPaymentForm({ url, action, done, children, onDone }: UndoProps) {
  const [reason, setReason] = useState('')
  const undoing = usePaymentMutation((body: object) => callApi('POST', url, body))
  const unsaved = useUnsavedChangesGuard(!undoing.isSuccess && reason !== '')
  const [isMissing, setMissing] = useState(false)
  const send = () =>
    undoing.mutate(
      { reason: reason.trim() },
      {
        onSuccess: () => {
          toast.info(done)
          onDone()
        },
      },
    )
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (reason.trim()) send()
        else setMissing(true)
      }}
    >
      {unsaved}
      <Stack gap="md">
        <Text component="div">{children}</Text>
        <TextInput
          label="Reason (Required)"
          maxLength={500}
          value={reason}
          error={isMissing && !reason.trim() ? 'Please enter the reason' : undefined}
          autoFocus
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        <ActionErrorAlert error={undoing.error} title="Not undone" />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={undoing.isPending}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}

const REFUND_STATE_MESSAGES: Readonly<Record<RefundRecord['state'], (amount: string) => string>> = {
  succeeded: (amount) => `${amount} refunded.`,
  pending: (amount) => `The refund of ${amount} is pending. Its status is shown with the payment.`,
  waiting: (amount) => `The refund of ${amount} is waiting for approval by a second person.`,
  failed: (amount) => `The refund of ${amount} failed.`,
}

/** Error shown directly above the button and scrolled into view. */
export function ActionErrorAlert({ error, title }: { readonly error: Error | null; readonly title: string }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (error) box.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  if (!error) return null
  return (
    <Alert ref={box} color="red" role="alert" title={title}>
      {inputErrorSentence(error)}
    </Alert>
  )
}
