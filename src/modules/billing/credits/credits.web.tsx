import { Alert, Button, Group, NativeSelect, SegmentedControl, Stack, Text, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { can } from '#kernel/can.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { ukDay } from '#kernel/time.ts'
import { ApiError, call } from '#web/api/client.ts'
import { idempotencyKeys } from '#web/api/idempotency.ts'
import { useActor } from '#web/api/me.ts'
import { useList } from '#web/api/resources.ts'
import { MoneyInput } from '#web/forms/inputs/money-input.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { sentence, toast } from '#web/ui/toast.ts'
import { saveFile } from '#web/uploads/fetch.ts'
import css from '../billing.module.css'
import { type Invoice, useInvoiceCall } from '../invoices/data.web.ts'
import { creditNote } from './credit-note.ts'

type Note = RecordOf<typeof creditNote>

/** Credit notes of an invoice, with the form for a new one. */
export default function CreditsOfInvoice({ record: of }: { readonly record: Invoice }) {
  const actor = useActor()
  const [open, setOpen] = useState(false)
  const notes = useList(creditNote, { invoice: of.id }).data?.['hydra:member'] ?? []
  const isLeft = of.state !== 'void' && of.amountCredited < of.total
  const save = (note: Note) =>
    saveFile(`${note['@id']}/pdf`, `${note.number}.pdf`).catch((e: unknown) => toast.failed(e))
  return (
    <section className={page.card} aria-labelledby="credits">
      <h2 id="credits">Credit notes</h2>
      {notes.length === 0 && <span>None.</span>}
      <ul className={css.list}>
        {notes.map((note) => (
          <li key={note.id} className={css.row}>
            <span>
              {note.number}
              <Text size="sm" c="dimmed">
                {ukDay(note.date)}, {note.reason}
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
            Make a credit note
          </Button>
        </Group>
      )}
      <Dialog opened={open} onClose={() => setOpen(false)} title={`Credit ${of.number}`} size="36rem">
        <Credit of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

/** Destinations of an amount already paid. */
const TO = [
  { value: 'balance', label: 'Kept in the customer’s credit' },
  { value: 'refund', label: 'Paid back' },
]

const WAYS = [
  { value: 'whole', label: 'All that is left' },
  { value: 'line', label: 'A part of a line' },
]

function Credit({ of, onDone }: { readonly of: Invoice; readonly onDone: () => void }) {
  const keys = useMemo(() => idempotencyKeys(), [])
  const lines = of.lines.filter((l) => l.net > 0)
  const [way, setWay] = useState('whole')
  const [line, setLine] = useState(lines[0]?.['@id'] ?? '')
  const [net, setNet] = useState<number | null>(null)
  const [reason, setReason] = useState('')
  const [to, setTo] = useState('balance')
  const credit = useInvoiceCall(() => {
    const body = { invoice: of['@id'], reason, to, ...(way === 'line' ? { lines: [{ line, net }] } : {}) }
    return call<Note>('POST', creditNote.url, body, { idempotencyKey: keys.keyFor(body) })
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
            toast.info(`Credit note ${note.number} is made`, 'safe')
            onDone()
          },
        })
      }}
    >
      <Stack>
        {credit.error && (
          <Alert color="red" role="alert" title="Nothing was credited">
            {violations.length ? violations.map((v) => <div key={v.message}>{v.message}</div>) : sentence(credit.error)}
          </Alert>
        )}
        <Text size="sm">
          {formatMoney(left, of.currency)} of it can be credited, VAT included. A credit note has a number of its own
          and can’t be changed; it goes to the customer by e-mail.
        </Text>
        <SegmentedControl data={WAYS} value={way} onChange={setWay} aria-label="What is credited" />
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
              label="Amount without VAT (Required)"
              symbol={formatMoney(0, of.currency).charAt(0)}
              value={net}
              onChange={setNet}
            />
          </>
        )}
        <Textarea
          label="Why? (Required)"
          description="It stands on the credit note."
          value={reason}
          maxLength={1000}
          autosize
          minRows={2}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
        {of.amountPaid ? (
          <NativeSelect
            label="What was paid of it already is"
            description="In the customer’s credit it pays their next invoice; paid back, it goes the way it came."
            data={TO}
            value={to}
            onChange={(e) => setTo(e.currentTarget.value)}
          />
        ) : (
          <Text size="sm">It lowers what is to pay.</Text>
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={credit.isPending}>
          Make the credit note
        </Button>
      </DialogActions>
    </form>
  )
}
