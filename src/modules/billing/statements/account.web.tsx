import { Anchor, Button, Group, SegmentedControl, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { describeDelivery, type EmailDelivery, isWithinSendingWindow } from '#modules/crm/mail/message.ts'
import { callApi, isRepeatedRequest } from '#web/api/client.ts'
import { listQueryOptions, useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { InvoiceChip } from '../invoices/chip.web.tsx'
import { useInvoiceMutation } from '../invoices/data.web.ts'
import { invoice } from '../invoices/invoice.ts'
import { FinancialDocumentView } from '../print/financial-document.web.tsx'
import { buildCustomerStatementDocument, type CustomerStatement, statementEmail } from './statement.ts'

export default function CustomerAccount({ record: of }: { readonly record: CustomerRecord }) {
  const [open, setOpen] = useState(false)
  const places = useBillingUrls()
  const list = useList(invoice, { customer: of.id })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="invoices">
      <h2 id="invoices">Invoices</h2>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={2} />
      ) : rows.length === 0 ? (
        <span>No invoices yet</span>
      ) : (
        <ul className={css.list}>
          {rows.map((i) => (
            <li key={i.id} className={css.row}>
              <Anchor component={Link} to={places.invoice(i.id)}>
                {i.number || 'Draft'}
              </Anchor>
              <InvoiceChip of={i} />
              {i.dueOn && i.state === 'open' && <span>due {formatIsoDateAsUk(i.dueOn)}</span>}
              <span className={css.money}>{formatMoney(i.total, i.currency)}</span>
            </li>
          ))}
        </ul>
      )}
      <Group>
        <Button component={Link} to={`${places.newInvoice}?customer=${of.id}`} variant="default">
          New invoice
        </Button>
        <Button variant="default" onClick={() => setOpen(true)}>
          Statement
        </Button>
      </Group>
      <Dialog opened={open} onClose={() => setOpen(false)} title="Statement" size="48rem">
        <StatementOf of={of} onDone={() => setOpen(false)} />
      </Dialog>
    </section>
  )
}

/** A customer's statement: its period and currency, its delivery by e-mail, and its PDF. */
function StatementOf({ of, onDone }: { readonly of: CustomerRecord; readonly onDone: () => void }) {
  const [period, setPeriod] = useState<{ readonly from?: string; readonly to?: string }>({})
  const [currency, setCurrency] = useState<string>()
  const query = new URLSearchParams({ ...period, ...(currency ? { currency } : {}) }).toString()
  const url = `${of['@id']}/statement`
  const read = useQuery({
    queryKey: [invoice.url, 'statement', of['@id'], query],
    queryFn: ({ signal }) => callApi<CustomerStatement>('GET', `${url}?${query}`, undefined, { signal }),
    placeholderData: (former) => former,
  })
  const s = read.data
  const sent = useInvoiceMutation(
    (again: boolean) => callApi('POST', `${of['@id']}/send-statement`, { from: s?.from, to: s?.to, again }),
    [statementEmail],
  )
  const isRepeated = isRepeatedRequest(sent.error)
  const set = (key: 'from' | 'to') => (day: string | null) => {
    const { [key]: _, ...rest } = period
    setPeriod(day ? { ...rest, [key]: day } : rest)
  }
  return (
    <>
      <Stack>
        <Group grow align="start">
          <DateField label="From" value={period.from ?? s?.from ?? null} onChange={set('from')} />
          <DateField label="To" value={period.to ?? s?.to ?? null} onChange={set('to')} />
        </Group>
        {s && s.currencies.length > 1 && (
          <SegmentedControl
            aria-label="Currency"
            data={[...s.currencies]}
            value={currency ?? s.currency}
            onChange={setCurrency}
          />
        )}
        {read.isError ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : s ? (
          <FinancialDocumentView sheet={buildCustomerStatementDocument(s)} />
        ) : (
          <LoadingRows rows={4} />
        )}
        <SentStatements of={of} />
        {sent.error && <ErrorText>{errorSentence(sent.error)}</ErrorText>}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <Button
          variant="default"
          onClick={() => downloadFile(`${url}/pdf?${query}`, 'Statement.pdf').catch((e: unknown) => toast.failed(e))}
        >
          Download PDF
        </Button>
        <Button loading={sent.isPending} disabled={!s} onClick={() => sent.mutate(isRepeated)}>
          {isRepeated ? 'Send again' : 'Send by e-mail'}
        </Button>
      </DialogActions>
    </>
  )
}

const isUnderWay = (row: RecordOf<typeof statementEmail>) =>
  [null, 'waiting', 'sending'].includes(row.state) && isWithinSendingWindow(row.createdAt)
const POLL_MS = 1500

/** Statements that were e-mailed to the customer, latest first, with their delivery status. */
function SentStatements({ of }: { readonly of: CustomerRecord }) {
  const rows = useQuery({
    ...listQueryOptions(statementEmail, { customer: of.id, itemsPerPage: 10 }),
    refetchInterval: (q) => (q.state.data?.['hydra:member'].some(isUnderWay) ? POLL_MS : false),
  }).data?.['hydra:member']
  if (!rows?.length) return null
  return (
    <ul className={css.list} aria-label="Statements by e-mail">
      {rows.map((row) => (
        <li key={row.id} className={css.row}>
          <span>To {formatIsoDateAsUk(row.to)}</span>
          <span>
            {row.state ? describeDelivery({ ...row, state: row.state as EmailDelivery['state'] }) : 'Waiting'}
          </span>
          <DateTimeText at={row.sentAt ?? row.createdAt} />
        </li>
      ))}
    </ul>
  )
}
