import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { z } from 'zod'
import { idFromAnyIri } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { RemoteSelect } from '#web/forms/remote-select.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { customer } from '../customers/customer.ts'
import { invoice } from '../invoices/invoice.ts'
import { usePaymentMutation } from '../payments/data.web.ts'
import { ActionErrorAlert } from '../payments/refund-form.web.tsx'
import { BANK_LINE_STATES, bankLine, bankStatement } from './bank-line.ts'

type BankLineRecord = RecordOf<typeof bankLine>
type Statement = RecordOf<typeof bankStatement>

const LIST = listUrlSchema({ state: z.enum(['', ...BANK_LINE_STATES.map(({ value }) => value)]).default('') })
const MEANING = { proposed: 'attention', open: 'stop', booked: 'safe', ignored: 'plain' } as const

/** Bank screen. Staff import statements and confirm each line; each confirmed line is recorded as a payment once. */
export default function BankPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<BankLineRecord>()
  const close = () => setOpen(undefined)
  return (
    <Page title="Bank">
      <Stack gap="lg">
        <Upload />
        <DataList
          resource={bankLine}
          label="Bank lines"
          state={state}
          onState={set}
          search="Search by reference or payer"
          filters={['state']}
          bulkWords={{
            book: {
              title: 'Confirm matches',
              done: 'booked',
              question:
                'Each matched line will be recorded as a payment for its proposed invoice. Lines without a match will not change.',
            },
          }}
          empty={
            <EmptyState title="No bank lines yet">
              Choose “Import statement” and select the CSV file from your bank.
            </EmptyState>
          }
          columns={[
            { key: 'day', title: 'Date', tight: true, render: (l) => formatIsoDateAsUk(l.day) },
            {
              key: 'reference',
              title: 'Reference',
              link: true,
              render: (l) => l.reference || l.payer || 'No reference',
            },
            { key: 'payer', title: 'Payer', wide: true },
            {
              key: 'amount',
              title: 'Amount',
              render: (l) => <span className={css.money}>{formatMoney(l.amount, l.currency)}</span>,
            },
            {
              key: 'state',
              title: 'Status',
              tight: true,
              render: (l) => (
                <StatusChip meaning={MEANING[l.state]}>
                  {BANK_LINE_STATES.find(({ value }) => value === l.state)?.label}
                </StatusChip>
              ),
            },
            { key: 'invoice', title: 'Invoice', tight: true, render: (l) => l.invoice?.number ?? '—' },
            { key: 'customer', title: 'Customer', render: (l) => l.customer?.companyName ?? '—' },
            { key: 'why', title: 'Reason', wide: true, inCard: false },
          ]}
          onOpen={setOpen}
        />
      </Stack>
      <Dialog opened={open !== undefined} onClose={close} title="Bank receipt" size="36rem">
        {open && <One of={open} onDone={close} />}
      </Dialog>
    </Page>
  )
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`

/** Uploads a file and reports the numbers of new, already imported and unreadable lines. */
function Upload() {
  const send = usePaymentMutation(async (file: File) =>
    callApi<Statement>('POST', bankStatement.url, { name: file.name, text: await file.text() }),
  )
  const made = send.data
  return (
    <Stack gap="sm">
      <Group>
        <FileButton accept=".csv,.txt,text/csv" onChange={(file) => file && send.mutate(file)}>
          {(props) => (
            <Button {...props} leftSection={<IconUpload size={16} aria-hidden />} loading={send.isPending}>
              Import statement
            </Button>
          )}
        </FileButton>
        <Text size="sm">
          A CSV file with columns for the date, the amount and the reference. Nothing is recorded until you confirm.
        </Text>
      </Group>
      <div role="status">
        {made && (
          <Alert color={made.problems.length ? 'yellow' : 'green'} title={made.name}>
            {count(made.lines, 'line is', 'lines are')} new.
            {made.known > 0 &&
              ` ${count(made.known, 'was', 'were')} in an earlier statement and ${made.known === 1 ? 'is' : 'are'} not added again.`}
            {made.outgoing > 0 && ` ${count(made.outgoing, 'is', 'are')} outgoing and ignored.`}
            {made.problems.length > 0 && (
              <ul>
                {made.problems.map(({ line, why }) => (
                  <li key={line}>
                    Line {line}: {why}
                  </li>
                ))}
              </ul>
            )}
          </Alert>
        )}
      </div>
      <ActionErrorAlert error={send.error} title="Not imported" />
    </Stack>
  )
}

/** A bank line, with its match and a choice of other invoices or customers. */
function One({ of, onDone }: { readonly of: BankLineRecord; readonly onDone: () => void }) {
  const [paid, setPaid] = useState<string | null>(of.invoice?.['@id'] ?? null)
  const [who, setWho] = useState<string | null>(of.customer?.['@id'] ?? null)
  const [isMissing, setMissing] = useState(false)
  const act = usePaymentMutation(({ path, body = {} }: { path: string; body?: object }) =>
    callApi('POST', `${of['@id']}/${path}`, body),
  )
  const done = (words: string) => ({
    onSuccess: () => {
      toast.info(words)
      onDone()
    },
  })
  const book = () =>
    act.mutate(
      { path: 'book', body: { ...(paid ? { invoice: paid } : {}), ...(who ? { customer: who } : {}) } },
      done(`${amount} recorded.`),
    )
  const isOpen = of.state === 'open' || of.state === 'proposed'
  const payment = idFromAnyIri(of.charge)
  const amount = formatMoney(of.amount, of.currency)
  return (
    <>
      <Stack gap="md">
        <Text>
          <strong className={css.money}>{amount}</strong> on {formatIsoDateAsUk(of.day)}
          {of.payer && ` from ${of.payer}`}. {of.reference && `“${of.reference}”`}
        </Text>
        {of.why && <Text>{of.why}.</Text>}
        {payment !== undefined && (
          <Anchor component={Link} to={`/crm/charge/${payment}`}>
            Payment
          </Anchor>
        )}
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
              error={
                isMissing && !paid && !who ? 'Choose the invoice that was paid or the customer who paid' : undefined
              }
            />
          </>
        )}
        <ActionErrorAlert error={act.error} title="Not recorded" />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Close
        </Button>
        {isOpen && (
          <Button
            variant="default"
            loading={act.isPending}
            onClick={() => act.mutate({ path: 'ignore' }, done('Marked as not a customer payment.'))}
          >
            Not a customer payment
          </Button>
        )}
        {of.state === 'ignored' && (
          <Button loading={act.isPending} onClick={() => act.mutate({ path: 'reopen' }, done('Reopened.'))}>
            Reopen
          </Button>
        )}
        {isOpen && (
          <Button loading={act.isPending} onClick={() => (paid || who ? book() : setMissing(true))}>
            Record payment {amount}
          </Button>
        )}
      </DialogActions>
    </>
  )
}
