import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import type { CustomerRecord } from '../customers/data.web.ts'
import { InvoiceChip } from '../invoices/chip.web.tsx'
import { invoice } from '../invoices/invoice.ts'
import { FinancialDocumentView } from '../print/financial-document.web.tsx'
import { buildCustomerStatementDocument, type CustomerStatement } from './statement.ts'

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

function StatementOf({ of, onDone }: { readonly of: CustomerRecord; readonly onDone: () => void }) {
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const query = new URLSearchParams({ ...(from ? { from } : {}), ...(to ? { to } : {}) }).toString()
  const url = `${of['@id']}/statement`
  const read = useQuery({
    queryKey: [invoice.url, 'statement', of['@id'], query],
    queryFn: ({ signal }) => callApi<CustomerStatement>('GET', `${url}?${query}`, undefined, { signal }),
    placeholderData: (former) => former,
  })
  const s = read.data
  return (
    <>
      <Stack>
        <Group grow align="start">
          <DateField label="From" value={from ?? s?.from ?? null} onChange={setFrom} />
          <DateField label="To" value={to ?? s?.to ?? null} onChange={setTo} />
        </Group>
        {read.isError ? (
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        ) : s ? (
          <FinancialDocumentView sheet={buildCustomerStatementDocument(s)} />
        ) : (
          <LoadingRows rows={4} />
        )}
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        <Button
          onClick={() => downloadFile(`${url}/pdf?${query}`, 'Statement.pdf').catch((e: unknown) => toast.failed(e))}
        >
          Download PDF
        </Button>
      </DialogActions>
    </>
  )
}
