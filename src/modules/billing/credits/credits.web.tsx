import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { ApiError, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import css from '../billing.module.css'
import { type InvoiceRecord, useInvoiceMutation } from '../invoices/data.web.ts'
import { creditNote } from './credit-note.ts'

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
        <Credit of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

/** Options for an amount that has already been paid. */
const TO = [
  { value: 'balance', label: 'Added to the customer’s credit' },
  { value: 'refund', label: 'Refunded' },
]

const CREDIT_METHODS = [
  { value: 'whole', label: 'Full' },
  { value: 'line', label: 'Partial' },
]

function Credit({ of, onDone }: { readonly of: InvoiceRecord; readonly onDone: () => void }) {
  const keys = useMemo(() => createIdempotencyKeys(), [])
  const lines = of.lines.filter((l) => l.net > 0)
  const [way, setWay] = useState('whole')
  const [line, setLine] = useState(lines[0]?.['@id'] ?? '')
  const [net, setNet] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [to, setTo] = useState('balance')
  const credit = useInvoiceMutation(() => {
    const body = { invoice: of['@id'], reason, to, ...(way === 'line' ? { lines: [{ line, net }] } : {}) }
    return callApi<Note>('POST', creditNote.url, body, { idempotencyKey: keys.keyFor(body) })
  }, [creditNote])
  const left = of.total - of.amountCredited
  const violations = credit.error instanceof ApiError ? credit.error.violations : []
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        credit.mutate(undefined, {
          onSuccess: (note) => {
            toast.info(`Credit note ${note.number} created`, 'safe')
            onDone()
          },
        })
      }}
    >
      <Stack>
        {credit.error && (
          <Alert color="red" role="alert" title="Credit note not created">
            {violations.length
              ? violations.map((v) => <div key={v.message}>{v.message}</div>)
              : errorSentence(credit.error)}
          </Alert>
        )}
        <Text size="sm">
          {formatMoney(left, of.currency)} can be credited, incl. VAT. A credit note has its own number and can’t be
          changed. It is e-mailed to the customer.
        </Text>
        <SegmentedControl data={CREDIT_METHODS} value={way} onChange={setWay} aria-label="Amount to credit" />
        {way === 'line' && (
          <>
            <NativeSelect
              label="Line"
              data={lines.map((l) => ({
                value: l['@id'],
                label: `${l.description}: ${formatMoney(l.net, of.currency)}`,
              }))}
              value={line}
              onChange={(e) => setLine(e.currentTarget.value)}
            />
            <MoneyInput
              label="Amount excl. VAT (Required)"
              symbol={formatMoney(0, of.currency).charAt(0)}
              value={net}
              onChange={setNet}
            />
          </>
        )}
        <Textarea
          label="Reason (required)"
          description="Printed on the credit note."
          value={reason}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {of.amountPaid ? (
          <NativeSelect
            label="Amount already paid"
            description="Customer credit pays the next invoice. Refunds go back to the original payment method."
            data={TO}
            value={to}
            onChange={(e) => setTo(e.currentTarget.value)}
          />
        ) : (
          <Text size="sm">The credit note reduces the amount due.</Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={credit.isPending}>
          Create credit note
        </Button>
      </DialogActions>
    </form>
  )
}
