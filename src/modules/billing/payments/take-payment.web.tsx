import '@mantine/core/styles/Combobox.layer.css'
import { Button, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Iri } from '#kernel/fields.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { DateTimeField } from '#web/dates/date-time-field.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../billing.module.css'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { type CardRecord, useCustomerCards } from '../cards/data.web.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { type ChargeRecord, usePaymentMutation } from './data.web.ts'
import { describeCard } from './names.ts'
import { ActionErrorAlert } from './refund-form.web.tsx'

/** What a payment is for: an invoice or, without an invoice, the customer's credit. */
export interface PaymentTarget {
  readonly customer: { readonly '@id': Iri; readonly id: number }
  readonly currency: Currency
  readonly invoice?: { readonly '@id': Iri; readonly number: string; readonly amountDue: number }
}

const PAYMENT_METHOD_CHOICES = [
  { value: 'card', label: 'Card' },
  { value: 'bank', label: 'Bank transfer' },
  { value: 'other', label: 'Other' },
] as const
const NO_CARDS: readonly CardRecord[] = []
type PaymentMethodChoice = (typeof PAYMENT_METHOD_CHOICES)[number]['value']

/**
 * Form to charge a saved card or record a payment already received. Errors are shown beside the fields, and input is
 * kept.
 */
export function PaymentForm({ of, onDone }: { readonly of: PaymentTarget; readonly onDone: () => void }) {
  const actor = useActor()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const takesCards = useIsProviderStaff()
  const kept = useCustomerCards(of.customer.id, takesCards).data?.['hydra:member']
  const cards = takesCards ? kept : NO_CARDS
  const due = of.invoice?.amountDue ?? null
  const [way, setWay] = useState<PaymentMethodChoice>(takesCards ? 'card' : 'bank')
  const [pence, setPence] = useState<number | null>(due)
  const [chosen, setCard] = useState<string | null>(null)
  const [receivedAt, setReceived] = useState<string | null>(null)
  const [reference, setReference] = useState('')
  const [notes, setNotes] = useState('')
  const taking = usePaymentMutation((body: object) =>
    callApi<ChargeRecord>('POST', '/api/financial/charges', body, { idempotencyKey: keys.keyFor(body) }),
  )
  const isTyped = pence !== due || reference !== '' || notes !== '' || receivedAt !== null
  const unsaved = useUnsavedChangesGuard(!taking.isSuccess && isTyped)
  if (!cards) return <LoadingRows rows={4} />
  const first = cards.find((c) => c.default) ?? cards[0]
  const card = chosen ?? first?.['@id'] ?? null
  const byHand = way !== 'card'
  const given = {
    customer: of.customer['@id'],
    ...(of.invoice ? { invoice: of.invoice['@id'], amountDue: of.invoice.amountDue } : {}),
    method: way,
    amount: pence,
    currency: of.currency,
    metadata: { notes: notes.trim() },
    ...(byHand ? { receivedAt, reference: reference.trim() } : { card }),
  }
  const money = (n: number) => formatMoney(n, of.currency)
  const isTwice = taking.error instanceof ApiError && taking.error.code === 'already_there'
  const ready = !!pence && (byHand ? receivedAt !== null : card !== null)
  const take = (keepBoth: boolean) =>
    taking.mutate(keepBoth ? { ...given, keepBoth } : given, {
      onSuccess: (made) => {
        toast.info(
          made.state === 'pending'
            ? `The payment of ${money(made.amount)} is pending. Do not take the payment again.`
            : `Payment of ${money(made.amount)} recorded.`,
        )
        onDone()
      },
      // After a decline, the next submission is a new payment. If there was no response, the next submission repeats
      // the same payment.
      onError: (e) => e instanceof ApiError && e.status !== 0 && keys.forget(),
    })
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready && !e.currentTarget.querySelector(':invalid')) take(false)
      }}
    >
      {unsaved}
      <Stack gap="md">
        {due !== null && (
          <Text>
            Due on {of.invoice?.number}: <strong className={css.money}>{money(due)}</strong>
          </Text>
        )}
        {hasRole(actor, FINANCE_ROLES) && (
          <SegmentedControl
            data={PAYMENT_METHOD_CHOICES.filter(({ value }) => takesCards || value !== 'card')}
            value={way}
            onChange={(v) => setWay(v as PaymentMethodChoice)}
            aria-label="Payment method"
          />
        )}
        <MoneyInput symbol={money(0).charAt(0)} label="Amount (Required)" value={pence} onChange={setPence} autoFocus />
        {byHand ? (
          <>
            <DateTimeField label="Received (Required)" value={receivedAt} onChange={setReceived} />
            <TextInput
              label="Reference"
              description="As shown on the bank statement."
              maxLength={100}
              value={reference}
              onChange={(e) => setReference(e.currentTarget.value)}
            />
          </>
        ) : cards.length ? (
          <Select
            label="Card (Required)"
            data={cards.map((c) => ({ value: c['@id'], label: describeCard(c) }))}
            value={card}
            onChange={setCard}
            allowDeselect={false}
          />
        ) : (
          <Text>This customer has no saved card. Add one on the customer’s page first.</Text>
        )}
        <Textarea
          label="Notes"
          description="For colleagues only; the customer does not see them."
          maxLength={1000}
          autosize
          minRows={2}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        <ActionErrorAlert error={taking.error} title={byHand ? 'Not recorded' : 'Not charged'} />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        {isTwice && (
          <Button variant="default" onClick={() => take(true)}>
            Take payment again
          </Button>
        )}
        <Button type="submit" loading={taking.isPending} disabled={!ready}>
          {byHand ? 'Record payment' : pence ? `Charge ${money(pence)}` : 'Charge'}
        </Button>
      </DialogActions>
    </form>
  )
}
