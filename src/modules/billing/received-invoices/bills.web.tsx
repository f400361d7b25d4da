import { Alert, Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk, londonDate, now } from '#kernel/time.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { useProviderName } from '#web/shell/pages/facts.ts'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import { downloadFile } from '#web/uploads/fetch.ts'
import css from '../billing.module.css'
import { RECEIVED_INVOICES_URL, type ReceivedInvoice } from './bill.ts'

export default function ReceivedInvoicesPage() {
  const provider = useProviderName()
  const list = useQuery({
    queryKey: [RECEIVED_INVOICES_URL],
    queryFn: ({ signal }) => callApi<Collection<ReceivedInvoice>>('GET', RECEIVED_INVOICES_URL, undefined, { signal }),
  })
  const rows = list.data?.['hydra:member']
  const open = rows?.filter((bill) => bill.state === 'open') ?? []
  return (
    <Page title="Invoices to pay" about={`Invoices from ${provider} to your company.`}>
      {list.isError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : !rows ? (
        <LoadingRows rows={4} />
      ) : rows.length === 0 ? (
        <EmptyState title="No invoices yet">Invoices from {provider} to your company appear here.</EmptyState>
      ) : (
        <>
          {open.length === 0 && <Alert color="green">Nothing to pay.</Alert>}
          <section className={page.card} aria-labelledby="bills">
            <h2 id="bills">Invoices</h2>
            <ul className={css.list}>
              {rows.map((bill) => (
                <Row key={bill.id} of={bill} />
              ))}
            </ul>
          </section>
        </>
      )}
    </Page>
  )
}

const STATE_LABELS = { open: 'Due', paid: 'Paid', void: 'Void', uncollectible: 'Closed' } as const

function Row({ of }: { readonly of: ReceivedInvoice }) {
  const isLate = of.state === 'open' && of.dueOn < londonDate(now()).toString()
  const pay = useMutation({
    mutationFn: () => callApi<{ url: string }>('POST', `${of['@id']}/pay-link`, {}),
    onSuccess: ({ url }) => location.assign(new URL(url).pathname),
    onError: (e) => toast.failed(e),
  })
  return (
    <li className={css.row}>
      <span>{of.number}</span>
      <StatusChip meaning={of.state === 'paid' ? 'safe' : isLate ? 'stop' : 'attention'}>
        {isLate ? 'Overdue' : STATE_LABELS[of.state]}
      </StatusChip>
      <span>{of.state === 'open' ? `due ${formatIsoDateAsUk(of.dueOn)}` : formatIsoDateAsUk(of.date)}</span>
      <span className={css.money}>{formatMoney(of.state === 'open' ? of.amountDue : of.total, of.currency)}</span>
      <Group gap="sm">
        {of.state === 'open' && (
          <Button loading={pay.isPending} aria-label={`Pay ${of.number}`} onClick={() => pay.mutate()}>
            Pay
          </Button>
        )}
        <Button
          variant="default"
          aria-label={`PDF of ${of.number}`}
          onClick={() => downloadFile(`${of['@id']}/pdf`, `${of.number}.pdf`).catch((e: unknown) => toast.failed(e))}
        >
          PDF
        </Button>
      </Group>
    </li>
  )
}
