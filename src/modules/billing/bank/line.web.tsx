import { Anchor, Button, Checkbox, SegmentedControl, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useList } from '#web/api/resources.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { useUnsavedChangesGuard } from '#web/ui/unsaved.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { charge } from '../payments/charge.ts'
import { ChargeChip } from '../payments/chips.web.tsx'
import { usePaymentMutation } from '../payments/data.web.ts'
import { ActionErrorAlert, UNDO_TEXT, UndoPaymentForm } from '../payments/refund-form.web.tsx'
import type { bankLine } from './bank-line.ts'

export type BankLineRecord = RecordOf<typeof bankLine>

interface Props {
  readonly of: BankLineRecord
  readonly onDone: () => void
}

/** Dialog of a bank line: its match, a split over several invoices, or, if recorded, its payments and Undo match. */
export function BankLineDialog({ of, onDone }: Props) {
  const [way, setWay] = useState<'match' | 'split' | 'undo'>('match')
  const isOpen = of.state === 'open' || of.state === 'proposed'
  return (
    <Stack gap="md">
      <Text>
        <strong className={css.money}>{formatMoney(of.amount, of.currency)}</strong> on {formatIsoDateAsUk(of.day)}
        {of.payer && ` from ${of.payer}`}. {of.reference && `“${of.reference}”`}
      </Text>
      {of.why && of.state !== 'booked' && <Text>{of.why}.</Text>}
      <LinePayments of={of} />
      {isOpen && (
        <SegmentedControl
          data={[
            { value: 'match', label: 'Match' },
            { value: 'split', label: 'Split' },
          ]}
          value={way}
          onChange={(v) => setWay(v as 'match' | 'split')}
          aria-label="Record as"
        />
      )}
      {way === 'undo' ? (
        <UndoPaymentForm url={`${of['@id']}/unmatch`} action="Undo match" done="Match undone." onDone={onDone}>
          {UNDO_TEXT} The line can then be matched again.
        </UndoPaymentForm>
      ) : isOpen && way === 'split' ? (
        <Split of={of} onDone={onDone} />
      ) : (
        <Match of={of} isOpen={isOpen} onUndo={() => setWay('undo')} onDone={onDone} />
      )}
    </Stack>
  )
}

/** Payments as which the line was recorded, including reversed ones. */
function LinePayments({ of }: Pick<Props, 'of'>) {
  const places = useBillingUrls()
  const rows = useList({ ...charge, url: `${of['@id']}/charges` }, { itemsPerPage: 100 }).data?.['hydra:member']
  if (!rows?.length) return null
  return (
    <ul className={css.list} aria-label="Payments of this line">
      {rows.map((one) => (
        <li key={one.id} className={css.row}>
          <Anchor component={Link} to={places.charge(one.id)}>
            {one.invoice ? one.invoice.number : 'Customer credit'}
          </Anchor>
          <ChargeChip state={one.state} />
          <span className={css.money}>{formatMoney(one.amount, one.currency)}</span>
        </li>
      ))}
    </ul>
  )
}

const useLineAction = (of: BankLineRecord, onDone: () => void) => {
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const act = usePaymentMutation(({ path, body }: { readonly path: string; readonly body: object }) =>
    callApi('POST', `${of['@id']}/${path}`, body, { idempotencyKey: keys.keyFor({ path, body }) }),
  )
  const send = (path: string, body: object, words: string) =>
    act.mutate(
      { path, body },
      {
        onSuccess: () => {
          toast.info(words)
          onDone()
        },
        // The request has been answered, so the next submission is a new request.
        onError: (e) => e instanceof ApiError && e.status !== 0 && keys.forget(),
      },
    )
  return { send, error: act.error, isPending: act.isPending }
}

interface MatchProps extends Props {
  readonly isOpen: boolean
  readonly onUndo: () => void
}

function Match({ of, isOpen, onUndo, onDone }: MatchProps) {
  const [paid, setPaid] = useState<string | null>(of.invoice?.['@id'] ?? null)
  const [who, setWho] = useState<string | null>(of.customer?.['@id'] ?? null)
  const [isMissing, setMissing] = useState(false)
  const { send, error, isPending } = useLineAction(of, onDone)
  const amount = formatMoney(of.amount, of.currency)
  const book = () =>
    send('book', { ...(paid ? { invoice: paid } : {}), ...(who ? { customer: who } : {}) }, `${amount} recorded.`)
  return (
    <>
      {isOpen && (
        <>
          <RemoteSelect
            label="Invoice"
            description="Leave empty to add the payment to the customer’s credit."
            target={invoice}
            value={paid}
            onChange={setPaid}
            params={{ state: 'open', currency: of.currency, ...(who ? { customer: who } : {}) }}
          />
          <RemoteSelect
            label="Customer"
            target={customer}
            value={who}
            onChange={setWho}
            params={{ retired: false }}
            error={isMissing && !paid && !who ? 'Choose the invoice that was paid or the customer who paid' : undefined}
          />
        </>
      )}
      <ActionErrorAlert error={error} title="Not recorded" />
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        {isOpen && (
          <Button
            variant="default"
            loading={isPending}
            onClick={() => send('ignore', {}, 'Marked as not a customer payment.')}
          >
            Not a customer payment
          </Button>
        )}
        {of.state === 'ignored' && (
          <Button loading={isPending} onClick={() => send('reopen', {}, 'Reopened.')}>
            Reopen
          </Button>
        )}
        {of.state === 'booked' && (
          <Button variant="default" onClick={onUndo}>
            Undo match
          </Button>
        )}
        {isOpen && (
          <Button loading={isPending} onClick={() => (paid || who ? book() : setMissing(true))}>
            Record payment {amount}
          </Button>
        )}
      </DialogActions>
    </>
  )
}

/** Maximum number of open invoices offered, oldest first. */
const MAX_INVOICES_OFFERED = 100

/** Amounts for the open invoices of one customer, with the remainder. */
function Split({ of, onDone }: Props) {
  const [who, setWho] = useState<string | null>(of.customer?.['@id'] ?? null)
  const [amounts, setAmounts] = useState<Readonly<Record<string, number | null>>>({})
  const [toCredit, setToCredit] = useState(false)
  const { send, error, isPending } = useLineAction(of, onDone)
  const list = useList(
    invoice,
    {
      customer: who ?? '',
      state: 'open',
      currency: of.currency,
      'order[dueOn]': 'asc',
      itemsPerPage: MAX_INVOICES_OFFERED,
    },
    { enabled: who !== null },
  )
  const rows = who ? list.data?.['hydra:member'] : []
  const money = (pence: number) => formatMoney(pence, of.currency)
  const parts = (rows ?? []).flatMap((one) => {
    const amount = amounts[one['@id']] ?? 0
    return amount > 0 ? [{ invoice: one['@id'], amount }] : []
  })
  const rest = of.amount - parts.reduce((sum, { amount }) => sum + amount, 0)
  const isTooMuch = (rows ?? []).some((one) => (amounts[one['@id']] ?? 0) > one.amountDue)
  const ready = parts.length > 0 && !isTooMuch && (rest === 0 || (rest > 0 && toCredit))
  const unsaved = useUnsavedChangesGuard(parts.length > 0 && !isPending)
  const payOldestFirst = () => {
    let left = of.amount
    setAmounts(
      Object.fromEntries(
        (rows ?? []).map((one) => {
          const part = Math.min(left, one.amountDue)
          left -= part
          return [one['@id'], part || null]
        }),
      ),
    )
  }
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready && !e.currentTarget.querySelector(':invalid'))
          send('split', { parts, ...(rest ? { credit: true } : {}) }, `${money(of.amount)} recorded.`)
      }}
    >
      {unsaved}
      <Stack gap="md">
        <RemoteSelect
          label="Customer"
          target={customer}
          value={who}
          onChange={(iri) => {
            setWho(iri)
            setAmounts({})
          }}
          params={{ retired: false }}
        />
        {who && !rows && <LoadingRows rows={3} />}
        {who && rows?.length === 0 && <Text>No open invoices in {of.currency}</Text>}
        {rows && rows.length > 0 && (
          <>
            {rows.map((one) => (
              <MoneyInput
                key={one.id}
                symbol={money(0).charAt(0)}
                label={`${one.number}, ${money(one.amountDue)} due`}
                value={amounts[one['@id']] ?? null}
                onChange={(pence) => setAmounts({ ...amounts, [one['@id']]: pence })}
                error={
                  (amounts[one['@id']] ?? 0) > one.amountDue ? `At most ${money(one.amountDue)} is due` : undefined
                }
              />
            ))}
            <Button variant="default" onClick={payOldestFirst}>
              Pay the oldest first
            </Button>
            <Checkbox
              label="Add the remainder to the customer’s credit"
              checked={toCredit}
              onChange={(e) => setToCredit(e.currentTarget.checked)}
            />
          </>
        )}
        <ActionErrorAlert error={error} title="Not recorded" />
      </Stack>
      <DialogActions>
        <Text role="status" className={css.money} w="100%">
          {describeRemainder(rest, toCredit, of)}
        </Text>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <Button type="submit" loading={isPending} disabled={!ready}>
          Record payments {money(of.amount)}
        </Button>
      </DialogActions>
    </form>
  )
}

function describeRemainder(rest: number, toCredit: boolean, { amount, currency }: BankLineRecord): string {
  const money = (pence: number) => formatMoney(pence, currency)
  if (rest < 0) return `${money(-rest)} more than the line`
  if (rest === 0) return `All of ${money(amount)} is assigned`
  const remainder = `Remainder: ${money(rest)} of ${money(amount)}`
  return toCredit
    ? `${remainder}, to the customer’s credit`
    : `${remainder}. Enter it for an invoice, or add it to the credit`
}
