import '@mantine/core/styles/Combobox.layer.css'
import { Button, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { Iri } from '#kernel/fields.ts'
import { type Currency, formatMoney } from '#kernel/money.ts'
import { hasRole } from '#kernel/roles.ts'
import { instantOnLondonDate, londonDate, now } from '#kernel/time.ts'
import { ApiError, callApi, isRepeatedRequest } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../billing.module.css'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { type CardRecord, useCustomerCards } from '../customers/data.web.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { type ChargeRecord, usePaymentMutation } from './data.web.ts'
import { describeCard } from './names.ts'
import { ActionErrorAlert } from './refund-form.web.tsx'

/** Purpose of a payment: an invoice or, without one, the customer's credit. */
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
 * retained.
 */
export function PaymentForm({ of, onDone }: { readonly of: PaymentTarget; readonly onDone: () => void }) {
  const actor = useActor()
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const takesCards = useIsProviderStaff()
  const kept = useCustomerCards(of.customer.id, takesCards).data?.['hydra:member']
  const cards = takesCards ? kept : NO_CARDS
  const due = of.invoice?.amountDue ?? null
  const [chosenWay, setWay] = useState<PaymentMethodChoice>()
  const [pence, setPence] = useState<number | null>(due)
  const [chosen, setCard] = useState<string | null>(null)
  const [today] = useState(() => londonDate(now()).toString())
  const [receivedOn, setReceived] = useState<string | null>(today)
  const [reference, setReference] = useState('')
  const [notes, setNotes] = useState('')
  const taking = usePaymentMutation((body: object) =>
    callApi<ChargeRecord>('POST', '/api/financial/charges', body, { idempotencyKey: keys.keyFor(body) }),
  )
  const isTyped = pence !== due || reference !== '' || notes !== '' || receivedOn !== today
  const unsaved = useUnsavedChangesGuard(!taking.isSuccess && isTyped)
  if (!cards) return <LoadingRows rows={4} />
  const first = cards.find((c) => c.default) ?? cards[0]
  const card = chosen ?? first?.['@id'] ?? null
  const isFinance = hasRole(actor, FINANCE_ROLES)
  const hasCards = cards.length > 0
  const way = chosenWay ?? (hasCards || !isFinance ? 'card' : 'bank')
  const byHand = way !== 'card'
  const given = {
    customer: of.customer['@id'],
    ...(of.invoice ? { invoice: of.invoice['@id'], amountDue: of.invoice.amountDue } : {}),
    method: way,
    amount: pence,
    currency: of.currency,
    metadata: { notes: notes.trim() },
    ...(byHand
      ? { receivedAt: receivedOn && instantOnLondonDate(receivedOn, now()).toString(), reference: reference.trim() }
      : { card }),
  }
  const money = (n: number) => formatMoney(n, of.currency)
  const isTwice = isRepeatedRequest(taking.error)
  const blocked = !pence
    ? 'Enter the amount.'
    : byHand && !receivedOn
      ? 'Enter the date received.'
      : byHand && receivedOn && receivedOn > today
        ? 'The date received can’t be in the future.'
        : !byHand && card === null
          ? 'This customer has no saved card. Add one on the customer’s page first.'
          : ''
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
        if (!blocked && !e.currentTarget.querySelector(':invalid')) take(false)
      }}
    >
      {unsaved}
      <Stack gap="md">
        {due !== null && (
          <Text>
            Due on {of.invoice?.number}: <strong className={css.money}>{money(due)}</strong>
          </Text>
        )}
        {isFinance && (
          <SegmentedControl
            data={PAYMENT_METHOD_CHOICES.filter(({ value }) => hasCards || value !== 'card')}
            value={way}
            onChange={(v) => setWay(v as PaymentMethodChoice)}
            aria-label="Payment method"
          />
        )}
        <MoneyInput symbol={money(0).charAt(0)} label="Amount (Required)" value={pence} onChange={setPence} autoFocus />
        {byHand ? (
          <>
            <DateField label="Received (Required)" value={receivedOn} onChange={setReceived} max={today} />
            <TextInput
              label="Reference"
              description="As shown on the bank statement."
              maxLength={100}
              value={reference}
              onChange={(e) => setReference(e.currentTarget.value)}
            />
          </>
        ) : hasCards ? (
          <Select
            label="Card (Required)"
            data={cards.map((c) => ({ value: c['@id'], label: describeCard(c) }))}
            value={card}
            onChange={setCard}
            allowDeselect={false}
          />
        ) : null}
        <Textarea
          label="Notes"
          description="For colleagues only; the customer does not see them."
          maxLength={1000}
          autosize
          minRows={2}
          value={notes}
          onChange={(e) => setNotes(e.currentTarget.value)}
        />
        {blocked && (
          <Text size="sm" id="payment-blocked">
            {blocked}
          </Text>
        )}
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
        <Button
          type="submit"
          loading={taking.isPending}
          disabled={blocked !== ''}
          {...(blocked ? { 'aria-describedby': 'payment-blocked' } : {})}
        >
          {byHand ? 'Record payment' : pence ? `Charge ${money(pence)}` : 'Charge'}
        </Button>
      </DialogActions>
    </form>
  )
}
