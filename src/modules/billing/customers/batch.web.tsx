import '@mantine/core/styles/Progress.layer.css'
import { Button, Group, Progress, Text, Title } from '@mantine/core'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { callApi } from '#web/api/client.ts'
import { listQueryOptions } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { buildColumns } from '#web/lists/columns/columns.tsx'
import { ListView } from '#web/lists/list-view.tsx'
import { useConfirm } from '#web/ui/confirm-dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows, OfflineNotice } from '#web/ui/states.tsx'
import { StatusChip } from '#web/ui/status-chip.tsx'
import { toast } from '#web/ui/toast.ts'
import css from '../billing.module.css'
import { customerBatch, customerBatchLine } from './batch.ts'

type Batch = RecordOf<typeof customerBatch>
const POLL = 1000
const isBusy = (b: Batch | undefined) => ['queued', 'running', 'stopping'].includes(b?.state ?? '')

/** The latest batch, polled while it is running. */
const latest = queryOptions({
  ...listQueryOptions(customerBatch, { itemsPerPage: 1 }),
  refetchInterval: (q) => (isBusy(q.state.data?.['hydra:member'][0]) ? POLL : false),
})

/** Customer batch screen: a dry run, then the creation of customers, with a list of rejected clients. */
export default function CustomerBatchPage() {
  const queries = useQueryClient()
  const [dialog, ask] = useConfirm()
  const runs = useQuery(latest)
  const batch = runs.data?.['hydra:member'][0]
  const send = useMutation({
    mutationFn: ({ url, body }: { url: string; body?: unknown }) => callApi<Batch>('POST', url, body),
    onSettled: () => queries.invalidateQueries({ queryKey: [customerBatch.url, 'list'] }),
    onError: (e) => toast.failed(e),
  })
  const begin = (dryRun: boolean) => send.mutate({ url: '/api/financial/customers/batch', body: { dryRun } })
  const really = async () => {
    const yes = await ask({
      title: 'Create customers',
      question:
        'A customer will be created for every client that has an e-mail address and no customer yet. Clients will not be notified.',
      action: 'Create customers',
    })
    if (yes) begin(false)
  }
  return (
    <Page
      title="Create customers for clients"
      about="Clients added before billing was introduced have no customer yet. Start with a trial run: it saves nothing and shows you what is missing."
    >
      <OfflineNotice />
      <Group>
        <Button variant="default" loading={send.isPending} disabled={isBusy(batch)} onClick={() => begin(true)}>
          Trial run
        </Button>
        <Button loading={send.isPending} disabled={isBusy(batch)} onClick={() => void really()}>
          Create customers
        </Button>
      </Group>
      {dialog}
      {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.isPending && <LoadingRows rows={3} />}
      {runs.isSuccess && !batch && <EmptyState title="No batches yet">Start with a trial run.</EmptyState>}
      {batch && <Run batch={batch} act={(verb) => send.mutate({ url: `${batch['@id']}/${verb}` })} />}
    </Page>
  )
}

const STATES: Readonly<Record<string, readonly [string, 'safe' | 'attention' | 'stop' | 'info']>> = {
  queued: ['Waiting', 'info'],
  running: ['Running', 'info'],
  stopping: ['Stopping', 'info'],
  done: ['Finished', 'safe'],
  stopped: ['Stopped', 'attention'],
  failed: ['Failed', 'stop'],
}

function Run({ batch, act }: { readonly batch: Batch; readonly act: (verb: 'stop' | 'resume') => void }) {
  const [word, meaning] = STATES[batch.state ?? ''] ?? ['', 'info']
  const total = batch.clientsTotal ?? 0
  const read = batch.clientsRead ?? 0
  const lines = useQuery({
    ...listQueryOptions(customerBatchLine, { batch: batch['@id'], itemsPerPage: 100 }),
    refetchInterval: isBusy(batch) ? POLL : false,
  })
  return (
    <section className={page.card} aria-labelledby="run">
      <div className={css.head}>
        <Title order={2} size="h4" id="run">
          {batch.dryRun ? 'Trial run' : 'Run'} on <DateTimeText at={batch.createdAt} />
        </Title>
        <StatusChip meaning={meaning}>{word}</StatusChip>
        {(batch.state === 'queued' || batch.state === 'running') && (
          <Button variant="default" onClick={() => act('stop')}>
            Stop
          </Button>
        )}
        {(batch.state === 'stopped' || batch.state === 'failed') && (
          <Button variant="default" onClick={() => act('resume')}>
            Resume
          </Button>
        )}
      </div>
      <Text role="status">
        {read} of {total} clients checked
      </Text>
      <Progress value={total ? Math.min(100, (read / total) * 100) : isBusy(batch) ? 0 : 100} aria-label="Progress" />
      {batch.error && <Text role="alert">{batch.error}</Text>}
      <dl className={css.figures}>
        <div>
          <dt>{batch.dryRun ? 'Would be created' : 'Created'}</dt>
          <dd>{batch.created}</dd>
        </div>
        <div>
          <dt>Not possible</dt>
          <dd>{batch.refused}</dd>
        </div>
      </dl>
      {(batch.refused ?? 0) > 0 && (
        <ListView
          label="Clients still without a customer"
          rows={lines.data?.['hydra:member']}
          error={lines.error}
          onRetry={() => void lines.refetch()}
          empty={<EmptyState title="No clients to show" />}
          narrowed={false}
          columns={buildColumns<RecordOf<typeof customerBatchLine>>(customerBatchLine, [
            { key: 'client', title: 'Client', align: 'left' },
            'company',
            { key: 'message', title: 'Reason' },
          ])}
          idOf={(l) => String(l.id)}
          nameOf={(l) => l.company ?? String(l.client)}
          href={(l) => `/cms/clients?client=${l.client}`}
        />
      )}
    </section>
  )
}
