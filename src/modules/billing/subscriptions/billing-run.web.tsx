import '@mantine/core/styles/Progress.layer.css'
import { Anchor, Button, Checkbox, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatMoney } from '#kernel/money.ts'
import type { RecordOf } from '#kernel/resource.ts'
import { hasRole } from '#kernel/roles.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { useActor } from '#web/api/me.ts'
import { listQueryOptions, useList } from '#web/api/resources.ts'
import { DashboardSections } from '#web/dashboard/sections.tsx'
import { DateField } from '#web/dates/date-field.tsx'
import { DateTimeText } from '#web/dates/relative.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import { Dialog, DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { errorSentence, toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { invoice } from '../invoices/invoice.ts'
import { type QuoteRecord, useQuoteAction } from '../quotes/data.web.ts'
import { quote } from '../quotes/quote.ts'
import { FINANCE_ROLES } from '../rights.ts'
import { useSubscriptionMutation } from './data.web.ts'
import { billingRunRecord } from './run.ts'

function UnbilledQuotes({ isFinance }: { readonly isFinance: boolean }) {
  const list = useList(quote, { state: 'accepted', 'exists[billedAt]': false, 'order[id]': 'asc', itemsPerPage: 50 })
  const [open, setOpen] = useState<QuoteRecord>()
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="convert">
      <Title order={2} size="h4" id="convert">
        Quotes accepted but not billed
      </Title>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={2} />}
      {rows?.length === 0 && <span>No quotes to bill</span>}
      <ul className={css.list}>
        {rows?.map((q) => (
          <li key={q.id} className={css.row}>
            <Anchor component={Link} to={`/crm/quote/${q.id}`}>
              {q.reference}
            </Anchor>
            <span>{q.company}</span>
            <span>
              accepted on <DateTimeText at={q.decidedAt} day />
            </span>
            <span className={css.money}>{formatMoney(q.total, q.currency)}</span>
            {isFinance && (
              <Button variant="default" aria-label={`Bill ${q.reference}`} onClick={() => setOpen(q)}>
                Bill
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Dialog
        opened={open !== undefined}
        onClose={() => setOpen(undefined)}
        title={`Bill ${open?.reference ?? ''}`}
        size="36rem"
      >
        {open && <Bill of={open} onDone={() => setOpen(undefined)} />}
      </Dialog>
    </section>
  )
}

function Bill({ of, onDone }: { readonly of: QuoteRecord; readonly onDone: () => void }) {
  const convert = useQuoteAction(of, 'convert')
  const [start, setStart] = useState<string | null>(null)
  const [invoiced, setInvoiced] = useState(false)
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        convert.mutate(
          { ...(start ? { start } : {}), invoiced },
          {
            onSuccess: () => {
              toast.saved(`the invoice and subscriptions for ${of.reference}`)
              onDone()
            },
          },
        )
      }}
    >
      <Stack>
        {convert.error && <ErrorText>{errorSentence(convert.error)}</ErrorText>}
        <Text>
          The quote’s plans will become subscriptions, and the first payment will become an invoice for{' '}
          {formatMoney(of.total, of.currency)}, as accepted. Periods that have started since then will be invoiced by
          the next billing run.
        </Text>
        <DateField
          label="First day of the first period"
          description="Defaults to today."
          value={start}
          onChange={setStart}
        />
        <Checkbox
          label="The first period and all items were invoiced in another system"
          checked={invoiced}
          onChange={(e) => setInvoiced(e.currentTarget.checked)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Go back
        </Button>
        <Button type="submit" loading={convert.isPending}>
          Bill {of.reference}
        </Button>
      </DialogActions>
    </form>
  )
}

type Run = RecordOf<typeof billingRunRecord>
const POLL = 1000
const isBusy = (run: Run | undefined) => ['queued', 'running', 'stopping'].includes(run?.state ?? '')

interface Due {
  readonly day: string
  readonly customers: number
  readonly subscriptions: number
  readonly ending: number
}

const LATEST = 5
const runs = queryOptions({
  ...listQueryOptions(billingRunRecord, { itemsPerPage: LATEST }),
  refetchInterval: (q) => (isBusy(q.state.data?.['hydra:member'][0]) ? POLL : false),
})

export default function BillingRunPage() {
  const isFinance = hasRole(useActor(), FINANCE_ROLES)
  const list = useQuery(runs)
  const rows = list.data?.['hydra:member']
  return (
    <Page
      title="Billing run"
      about="Subscriptions are invoiced automatically, early on the first day of their next period."
    >
      <OfflineNotice />
      <DashboardSections>
        <DueToday isFinance={isFinance} busy={isBusy(rows?.[0])} finished={rows?.[0]?.finishedAt ?? ''} />
        <section className={page.card} aria-labelledby="runs">
          <Title order={2} size="h4" id="runs">
            Latest runs
          </Title>
          {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
          {list.isPending && <LoadingRows rows={2} />}
          {rows?.length === 0 && <span>No runs yet</span>}
          {rows && rows.length > 0 && (
            <ul className={css.list}>
              {rows.map((run) => (
                <RunRow key={run.id} of={run} isFinance={isFinance} />
              ))}
            </ul>
          )}
        </section>
        <Drafts />
        <UnbilledQuotes isFinance={isFinance} />
      </DashboardSections>
    </Page>
  )
}

function DueToday({
  isFinance,
  busy,
  finished,
}: {
  readonly isFinance: boolean
  readonly busy: boolean
  readonly finished: string
}) {
  const queries = useQueryClient()
  const [dialog, ask] = useConfirm()
  const due = useQuery({
    queryKey: [billingRunRecord.url, 'due', finished],
    queryFn: ({ signal }) => callApi<Due>('GET', `${billingRunRecord.url}/due`, undefined, { signal }),
  })
  const start = useSubscriptionMutation(() => callApi('POST', billingRunRecord.url))
  const begin = async () => {
    const yes = await ask({
      title: 'Start the billing run',
      question: `${counted(due.data)} Invoices will be issued, and e-mailed to customers who have an e-mail address for invoices.`,
      action: 'Start the billing run',
    })
    if (!yes) return
    start.mutate(undefined, {
      onSuccess: () => void queries.invalidateQueries({ queryKey: [billingRunRecord.url] }),
      onError: (e) => toast.failed(e),
    })
  }
  return (
    <section className={page.card} aria-labelledby="due">
      <div className={css.head}>
        <Title order={2} size="h4" id="due">
          Subscriptions due today
        </Title>
        {isFinance && (due.data?.customers ?? 0) > 0 && (
          <Button loading={start.isPending || busy} onClick={() => void begin()}>
            Start the billing run
          </Button>
        )}
      </div>
      {due.isPending && <LoadingRows rows={1} />}
      {due.isError && <ErrorState error={due.error} onRetry={() => void due.refetch()} />}
      {due.data && <Text role="status">{counted(due.data)}</Text>}
      {dialog}
    </section>
  )
}

const many = (n: number, one: string) => `${n} ${one}${n === 1 ? '' : 's'}`

function counted(due: Due | undefined): string {
  if (!due?.customers) return 'Nothing is due: all periods that have started have been invoiced.'
  const ends = due.ending ? `; ${due.ending} of these subscriptions ${due.ending === 1 ? 'ends' : 'end'}` : ''
  return `${many(due.subscriptions, 'subscription')} for ${many(due.customers, 'customer')}${ends}.`
}

const STATES: Readonly<Record<string, readonly [string, 'safe' | 'attention' | 'stop' | 'info']>> = {
  queued: ['Waiting', 'info'],
  running: ['Running', 'info'],
  stopping: ['Stopping', 'info'],
  done: ['Finished', 'safe'],
  stopped: ['Stopped', 'attention'],
  failed: ['Failed', 'stop'],
}

function RunRow({ of, isFinance }: { readonly of: Run; readonly isFinance: boolean }) {
  const [word, meaning] = STATES[of.state ?? ''] ?? ['', 'info']
  const act = useSubscriptionMutation((verb: string) => callApi('POST', `${of['@id']}/${verb}`))
  const done = (of.customers ?? 0) + (of.refused ?? 0)
  const total = of.customersTotal ?? 0
  const button =
    of.state === 'queued' || of.state === 'running'
      ? 'stop'
      : of.state === 'stopped' || of.state === 'failed'
        ? 'resume'
        : undefined
  return (
    <li className={css.row}>
      <DateTimeText at={of.createdAt} />
      <StatusChip meaning={meaning}>{word}</StatusChip>
      <span>
        {many(of.customers ?? 0, 'customer')} invoiced{of.refused ? `, ${of.refused} failed` : ''}
      </span>
      {isBusy(of) && <Progress w={160} value={total ? (done / total) * 100 : 0} aria-label="Progress" />}
      {of.error && <Text role="alert">{of.error}</Text>}
      {isFinance && button && (
        <Button variant="default" onClick={() => act.mutate(button, { onError: (e) => toast.failed(e) })}>
          {button === 'stop' ? 'Stop' : 'Resume'}
        </Button>
      )}
    </li>
  )
}

/** Automatically created invoices with missing details. Finance staff complete and issue them. */
function Drafts() {
  const list = useList(invoice, {
    state: 'draft',
    'origin[]': ['quote', 'subscription'],
    'order[id]': 'asc',
    itemsPerPage: 20,
  })
  const rows = list.data?.['hydra:member']
  return (
    <section className={page.card} aria-labelledby="drafts">
      <Title order={2} size="h4" id="drafts">
        Drafts that could not be issued
      </Title>
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <LoadingRows rows={2} />}
      {rows?.length === 0 && <span>No drafts</span>}
      {rows && rows.length > 0 && (
        <Text size="sm">
          Each draft lacks a required detail, most often the customer’s address. Add the missing detail, then issue the
          invoice.
        </Text>
      )}
      <ul className={css.list}>
        {rows?.map((one) => (
          <li key={one.id} className={css.row}>
            <Anchor component={Link} to={`/crm/invoice/${one.id}`}>
              {one.company || one.customer.email}
            </Anchor>
            {one.periodFrom && (
              <span>
                {formatIsoDateAsUk(one.periodFrom)} to {formatIsoDateAsUk(one.periodTo ?? one.periodFrom)}
              </span>
            )}
            <Group gap="xs">
              <span className={css.money}>{formatMoney(one.total, one.currency)}</span>
            </Group>
          </li>
        ))}
      </ul>
    </section>
  )
}
