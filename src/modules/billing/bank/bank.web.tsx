import { Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { bulkActions } from '#kernel/bulk.ts'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { type Collection, callApi, type QueryParams, queryString } from '#web/api/client.ts'
import { useList } from '#web/api/resources.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { BulkRejectionsDialog, type BulkReview } from '#web/lists/extras/bulk-bar.tsx'
import { type BulkOutcome, type BulkTarget, useBulkAction } from '#web/lists/extras/use-bulk.ts'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { BANK_LINE_STATES, bankLine } from './bank-line.ts'
import { StatementImport } from './import.web.tsx'
import { BankLineDialog, type BankLineRecord } from './line.web.tsx'

const LIST = listUrlSchema({ state: z.enum(['', ...BANK_LINE_STATES.map(({ value }) => value)]).default('') })
const MEANING = { proposed: 'attention', open: 'stop', booked: 'safe', ignored: 'plain' } as const

/** Bank screen. Staff import statements and confirm each line; each confirmed line is recorded as a payment once. */
export default function BankPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<BankLineRecord>()
  const close = () => setOpen(undefined)
  return (
    <Page title="Bank" actions={<ConfirmAllMatches />}>
      <Stack gap="lg">
        <StatementImport />
        <DataList
          resource={bankLine}
          label="Bank lines"
          state={state}
          onState={set}
          search="Search by reference or payer"
          filters={['state']}
          bulkWords={{ book: { title: 'Confirm matches', done: 'recorded', review: reviewMatches } }}
          empty={
            <EmptyState title="No bank lines yet">
              Choose “Import statement” and select the file from your bank.
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
        {open && <BankLineDialog of={open} onDone={close} />}
      </Dialog>
    </Page>
  )
}

const CONFIRM = bulkActions(bankLine).find(({ name }) => name === 'book')

/** Button that lists all matches and confirms them together, without selecting lines. */
function ConfirmAllMatches() {
  const proposed = useList(bankLine, { state: 'proposed', itemsPerPage: 1 }).data?.['hydra:totalItems'] ?? 0
  const bulk = useBulkAction(bankLine)
  const [dialog, ask] = useConfirm()
  const [outcome, setOutcome] = useState<BulkOutcome>()
  const confirmAll = async () => {
    const review = await reviewMatches({ asked: { state: 'proposed' } }).catch(toast.failed)
    if (!review || !CONFIRM) return
    if ('none' in review) return toast.info('No matches are left to confirm.')
    if (!(await ask({ title: 'Confirm matches', question: review.question, action: review.confirm }))) return
    const over = await bulk.start({ action: CONFIRM, word: 'recorded', ...review })
    if (over?.refusals.length) setOutcome(over)
  }
  return (
    <>
      {proposed > 0 && (
        <Button variant="default" loading={bulk.busy} onClick={() => void confirmAll()}>
          Confirm {count(proposed, 'match', 'matches')}
        </Button>
      )}
      {dialog}
      {outcome && <BulkRejectionsDialog outcome={outcome} href={undefined} onClose={() => setOutcome(undefined)} />}
    </>
  )
}

/** Number of matches listed before they are confirmed. */
const MAX_MATCHES_LISTED = 20

/** Lists the matches among the selected lines. Lines without a match are left out and counted. */
async function reviewMatches(
  selection: { readonly rows: readonly unknown[] } | { readonly asked: QueryParams },
): Promise<BulkReview> {
  if ('rows' in selection) {
    const rows = selection.rows as readonly BankLineRecord[]
    const proposed = rows.filter(({ state }) => state === 'proposed')
    const which = { ids: proposed.map((one) => one['@id']) }
    return reviewOf(proposed, proposed.length, rows.length - proposed.length, which, {})
  }
  const { asked } = selection
  const isAmongThem = !asked.state || asked.state === 'proposed'
  const params = { ...asked, state: 'proposed' }
  const [found, all] = await Promise.all([
    isAmongThem ? fetchLines({ ...params, itemsPerPage: MAX_MATCHES_LISTED }) : undefined,
    fetchLines({ ...asked, itemsPerPage: 0 }),
  ])
  const n = found?.['hydra:totalItems'] ?? 0
  const left = (all['hydra:totalItems'] ?? n) - n
  return reviewOf(found?.['hydra:member'] ?? [], n, left, { all: true, count: n }, params)
}

const fetchLines = (params: QueryParams) =>
  callApi<Collection<BankLineRecord>>('GET', `${bankLine.url}${queryString(params)}`)

function reviewOf(
  proposed: readonly BankLineRecord[],
  n: number,
  left: number,
  which: BulkTarget,
  params: QueryParams,
): BulkReview {
  if (!n) return { none: 'None of the selected lines has a match. Open a line to choose its invoice.' }
  const listed = proposed.slice(0, MAX_MATCHES_LISTED)
  return {
    confirm: `Confirm ${count(n, 'match', 'matches')}`,
    which,
    params,
    question: (
      <Stack gap="sm">
        <ul className={css.list} aria-label="Matches">
          {listed.map((line) => (
            <li key={line.id} className={css.row}>
              <span>
                {line.reference || line.payer || 'No reference'} → <strong>{line.invoice?.number}</strong>
                <Text size="sm" c="dimmed">
                  {line.customer?.companyName}
                </Text>
              </span>
              <span className={css.money}>{formatMoney(line.amount, line.currency)}</span>
            </li>
          ))}
        </ul>
        {n > listed.length && <span>And {count(n - listed.length, 'further match', 'further matches')}.</span>}
        {left > 0 && (
          <span>
            {count(left, 'selected line has', 'selected lines have')} no match to confirm and will not change.
          </span>
        )}
      </Stack>
    ),
  }
}

const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
