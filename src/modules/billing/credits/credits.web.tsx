import { Alert, Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { decisiveEmail, describeDelivery, mailMessage } from '#modules/crm/mail/message.ts'
import { useEmailsAbout } from '#modules/crm/mail/states.web.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { RestoredInputNotice, useStoredInput } from '#web/forms/stored-input.tsx'
import { usePortalInfo } from '#web/shell/pages/facts.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import { financeRequest } from '../approvals/finance-request.ts'
import css from '../billing.module.css'
import { computeCreditPreview, remainingCreditableAmounts } from '../invoices/amounts.ts'
import { type InvoiceRecord, useInvoiceMutation } from '../invoices/data.web.ts'
import { creditNote, creditNoteLine } from './credit-note.ts'

type Note = RecordOf<typeof creditNote>

/** An invoice's credit notes, with a form to create a new one. */
export default function InvoiceCredits({ record: of }: { readonly record: InvoiceRecord }) {
  const actor = useActor()
  const [open, setOpen] = useState(false)
  const notes = useList(creditNote, { invoice: of.id }).data?.['hydra:member'] ?? []
  const isLeft = of.state !== 'void' && of.amountCredited < of.total
  const save = (note: Note) =>
    downloadFile(`${note['@id']}/pdf`, `${note.number}.pdf`).catch((e: unknown) => toast.failed(e))
  return (
    <section className={page.card} aria-labelledby="credits">
      <h2 id="credits">Credit notes</h2>
      {notes.length === 0 && <span>No credit notes</span>}
      <ul className={css.list}>
        {notes.map((note) => (
          <li key={note.id} className={css.row}>
            <span>
              {note.number}
              <Text size="sm" c="dimmed">
                {formatIsoDateAsUk(note.date)}, {note.reason}
              </Text>
              <NoteRefunds of={note} />
              <NoteDelivery of={note} />
            </span>
            <Button
              variant="subtle"
              size="compact-sm"
              mih="var(--target)"
              onClick={() => void save(note)}
              aria-label={`PDF of ${note.number}`}
            >
              PDF
            </Button>
            <span className={css.money}>{formatMoney(note.total, note.currency)}</span>
          </li>
        ))}
      </ul>
      {isLeft && can(actor, 'create', creditNote) && (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            Create credit note
          </Button>
        </Group>
      )}
      <Dialog opened={open} onClose={() => setOpen(false)} title={`Credit ${of.number}`} size="36rem">
        <CreditForm of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

/** State of the refunds that a credit note has requested. */
function NoteRefunds({ of }: { readonly of: Note }) {
  const { amountToRefund, amountRefunded, amountRefunding } = of
  const parts = (
    [
      [amountRefunded, 'refunded'],
      [amountRefunding, 'in refunds that are waiting or pending'],
      [amountToRefund - amountRefunded - amountRefunding, 'not refunded: the refund was declined or failed'],
    ] as const
  ).flatMap(([pence, state]) => (pence > 0 ? [`${formatMoney(pence, of.currency)} ${state}`] : []))
  return parts.length ? <Text size="sm">{parts.join(', ')}</Text> : null
}

/** Delivery of the e-mail with a credit note. */
function NoteDelivery({ of }: { readonly of: Note }) {
  const decisive = decisiveEmail(useEmailsAbout(of['@id'], { requestedAt: of.createdAt }) ?? [])
  return decisive ? (
    <Text size="sm" c="dimmed">
      {describeDelivery(decisive)}
    </Text>
  ) : null
}

/** Options for crediting an amount that has already been paid. */
const TO = [
  { value: 'balance', label: 'Add to the customer’s credit' },
  { value: 'refund', label: 'Refund to the customer' },
]

interface CreditInput {
  /** Net amounts by line, in pence. */
  readonly nets: readonly (number | null)[]
  readonly reason: string
  readonly to: string
}

const NO_CREDIT: CreditInput = { nets: [], reason: '', to: 'balance' }

interface CreditProps {
  readonly of: InvoiceRecord
  /** Lines of the invoice's earlier credit notes. */
  readonly earlier: readonly RecordOf<typeof creditNoteLine>[]
  readonly onDone: () => void
}

/** Loads the lines of earlier credit notes, on which the remaining amounts depend. */
function CreditForm({ of, onDone }: Omit<CreditProps, 'earlier'>) {
  const found = useList(creditNoteLine, { 'creditNote.invoice': of.id, pagination: false })
  if (found.error) return <ErrorState error={found.error} onRetry={() => void found.refetch()} />
  const earlier = found.data?.['hydra:member']
  return earlier ? <Credit of={of} earlier={earlier} onDone={onDone} /> : <LoadingRows />
}

/** Form for a credit of one or several lines. The totals follow the input. */
function Credit({ of, earlier, onDone }: CreditProps) {
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const mails = usePortalInfo()?.mail ?? true
  const lines = of.lines.map((line) => ({
    ...line,
    credited: earlier
      .filter((one) => one.line === line['@id'])
      .map(({ quantity, net, tax }) => ({ quantity, net: net ?? 0, tax: tax ?? 0 })),
  }))
  const lefts = lines.map((line) => remainingCreditableAmounts(line).net)
  const stored = useStoredInput(`credit of invoice ${of.id}`, () => NO_CREDIT, `${of.amountCredited}`)
  const { nets, reason, to } = stored.input
  const set = (change: Partial<CreditInput>) => stored.change((now) => ({ ...now, ...change }))
  const isAll = lefts.every((left, n) => left <= 0 || nets[n] === left)
  const preview = computeCreditPreview(of, lines, isAll ? 'all' : nets)
  const body = {
    invoice: of['@id'],
    reason,
    ...(preview.paid ? { to } : {}),
    ...(isAll ? {} : { lines: lines.flatMap((line, n) => (nets[n] ? [{ line: line['@id'], net: nets[n] }] : [])) }),
  }
  const credit = useInvoiceMutation(
    () => callApi<Note>('POST', creditNote.url, body, { idempotencyKey: keys.keyFor(body) }),
    [creditNote, creditNoteLine, mailMessage],
  )
  const { invoice: _, ...requested } = body
  const request = useInvoiceMutation(() => callApi('POST', `${of['@id']}/ask-credit`, requested), [financeRequest])
  const error = request.error ?? credit.error
  const violations = error instanceof ApiError ? error.violations : []
  const needsApproval = credit.error instanceof ApiError && credit.error.code === 'approval_needed'
  const close = () => {
    stored.discard()
    onDone()
  }
  const money = (pence: number) => formatMoney(pence, of.currency)
  const tooMuch = (n: number) => (nets[n] ?? 0) > (lefts[n] ?? 0)
  const blocked = !preview.gross
    ? 'Enter an amount for at least one line.'
    : lines.some((_, n) => tooMuch(n))
      ? 'An amount is more than can still be credited.'
      : !reason.trim()
        ? 'Enter a reason.'
        : ''
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (blocked) return
        credit.mutate(undefined, {
          onSuccess: (note) => {
            toast.info(`Credit note ${note.number} created`, 'safe')
            close()
          },
        })
      }}
    >
      <Stack>
        <RestoredInputNotice of={stored} />
        {error && (
          <Alert color="red" role="alert" title="Credit note not created">
            {violations.length ? violations.map((v) => <div key={v.message}>{v.message}</div>) : errorSentence(error)}
          </Alert>
        )}
        <Text size="sm">
          Enter the amounts to credit, excl. VAT. A credit note has its own number and can’t be changed.{' '}
          {mails
            ? 'It will be e-mailed to the customer.'
            : 'No mail server is set up: download its PDF and send it to the customer yourself.'}
        </Text>
        {lines.map((line, n) =>
          (lefts[n] ?? 0) > 0 ? (
            <MoneyInput
              key={line['@id']}
              label={`${line.description || 'Line'} (up to ${money(lefts[n] ?? 0)})`}
              symbol={money(0).charAt(0)}
              value={nets[n] ?? null}
              error={tooMuch(n) ? `At most ${money(lefts[n] ?? 0)} of this line can still be credited` : undefined}
              onChange={(net) => set({ nets: lines.map((_, at) => (at === n ? net : (nets[at] ?? null))) })}
            />
          ) : null,
        )}
        <div>
          <Button variant="default" size="compact-sm" mih="var(--target)" onClick={() => set({ nets: lefts })}>
            Credit the whole remainder
          </Button>
        </div>
        <Textarea
          label="Reason (required)"
          description="Printed on the credit note."
          value={reason}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(e) => set({ reason: e.currentTarget.value })}
        />
        <dl className={css.figures} aria-live="polite" aria-label="Credit note">
          {(
            [
              ['Net', preview.net],
              ['VAT', preview.tax],
              ['Total incl. VAT', preview.gross],
              [`Left to pay on ${of.number}`, preview.due],
            ] as const
          ).map(([label, pence]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{money(pence)}</dd>
            </div>
          ))}
        </dl>
        {preview.paid > 0 && (
          <NativeSelect
            label={`${money(preview.paid)} already paid`}
            description="Customer credit pays the next invoice. Refunds go back to the original payment method."
            data={TO}
            value={to}
            onChange={(e) => set({ to: e.currentTarget.value })}
          />
        )}
        {blocked && (
          <Text size="sm" id="credit-blocked">
            {blocked}
          </Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={close}>
          Cancel
        </Button>
        {needsApproval && (
          <Button
            variant="default"
            loading={request.isPending}
            onClick={() =>
              request.mutate(undefined, {
                onSuccess: () => {
                  toast.info('Approval requested. The credit note is created once a second person approves it.')
                  close()
                },
              })
            }
          >
            Request approval
          </Button>
        )}
        <Button
          type="submit"
          loading={credit.isPending}
          disabled={blocked !== ''}
          {...(blocked ? { 'aria-describedby': 'credit-blocked' } : {})}
        >
          Create credit note
        </Button>
      </DialogActions>
    </form>
  )
}
