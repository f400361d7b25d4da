import '@mantine/core/styles/Progress.layer.css'
import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { formatInteger } from '#kernel/text.ts'
import { type Collection, callApi } from '#web/api/client.ts'
import { createIdempotencyKeys } from '#web/api/idempotency.ts'
import { urlQueryOptions } from '#web/api/reading.ts'
import {
  type BatchJobRecord,
  type BatchJobRejection,
  followBatchJob,
  loadBatchJobRejections,
  requestJobStop,
} from '#web/lists/extras/runs.ts'
import { errorSentence, toast } from '#web/ui/toast.ts'
import { formatLeadName, type LeadRecord } from '../contacts/data.web.ts'

/** Result of a batch, including the excluded leads. */
interface Over {
  readonly run: BatchJobRecord
  readonly left: readonly BatchJobRejection[]
}

/** Starts a batch only once, even if the button is pressed repeatedly, and polls the batch until it ends. */
export function useMailBatch(url: string, touched: readonly string[]) {
  const queries = useQueryClient()
  const keys = useRef(createIdempotencyKeys())
  const away = useRef<AbortController>(undefined)
  const [run, setRun] = useState<BatchJobRecord>()
  const [over, setOver] = useState<Over>()
  const [failed, setFailed] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => () => away.current?.abort(), [])
  const start = async (body: Readonly<Record<string, unknown>>) => {
    setBusy(true)
    setFailed(undefined)
    try {
      const begun = await callApi<BatchJobRecord>('POST', url, body, {
        idempotencyKey: keys.current.keyFor({ url, body }),
      })
      keys.current.forget()
      away.current = new AbortController()
      const end = await followBatchJob(begun, setRun, away.current.signal)
      setOver({ run: end, left: end.refused ? await loadBatchJobRejections(end) : [] })
      for (const key of touched) void queries.invalidateQueries({ queryKey: [key] })
    } catch (e) {
      if (!away.current?.signal.aborted) setFailed(errorSentence(e))
    } finally {
      setRun(undefined)
      setBusy(false)
    }
  }
  const reset = () => {
    setOver(undefined)
    setFailed(undefined)
  }
  return { start, busy, run, over, failed, reset }
}

/** Returns the first lead that a query finds, for use in the preview. */
export function useFirstLeadInList(from: string, enabled: boolean): LeadRecord | undefined {
  const url = `${from}&itemsPerPage=1`
  const found = useQuery({ queryKey: ['first lead', url], ...urlQueryOptions<Collection<LeadRecord>>(url), enabled })
  return found.data?.['hydra:member'][0]
}

/** Progress of a batch, with a button to stop it. */
export function MailBatchProgress({ run }: { readonly run: BatchJobRecord }) {
  return (
    <Stack gap="xs">
      <Progress value={run.total ? Math.min(100, ((run.done ?? 0) / run.total) * 100) : 0} aria-label="Progress" />
      <Group gap="xs">
        <Text size="sm" role="status">
          {formatInteger((run.done ?? 0) + (run.refused ?? 0))} of {formatInteger(run.total ?? 0)}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => void requestJobStop(run).catch(toast.failed)}>
          Stop
        </Button>
      </Group>
    </Stack>
  )
}

interface DoneProps {
  readonly over: Over
  /** Returns text such as "32 e-mails are being sent". */
  readonly words: (count: number) => string
  readonly children?: ReactNode
}

/** Result of a batch: the number of e-mails or letters, and the excluded leads with the reasons. */
export function MailBatchResult({ over: { run, left }, words, children }: DoneProps) {
  const { state, done, refused, error } = run
  const more = (refused ?? 0) - left.length
  return (
    <Stack gap="sm">
      <Alert color={state === 'failed' ? 'red' : state === 'done' ? 'green' : 'yellow'} role="status">
        {words(done ?? 0)}
        {state === 'stopped' && ' The job was stopped. You can resume it under “Background jobs”.'}
        {state === 'failed' && ` The job failed: ${error ?? 'something went wrong'}.`}
      </Alert>
      {children}
      {left.length > 0 && (
        <ExcludedLeadList title={`${formatInteger(refused ?? 0)} excluded`} left={left}>
          {more > 0 && `And ${formatInteger(more)} more. “Background jobs” lists all of them.`}
        </ExcludedLeadList>
      )}
    </Stack>
  )
}

interface LeftOutProps {
  readonly title: string
  readonly left: readonly BatchJobRejection[]
  readonly children?: ReactNode
}

export const ExcludedLeadList = ({ title, left, children }: LeftOutProps) => (
  <section aria-label="Excluded">
    <Text size="sm" fw={650}>
      {title}
    </Text>
    <Stack gap={4} component="ul" m={0} pl="md" mah={280} style={{ overflowY: 'auto' }} tabIndex={0}>
      {left.map(({ line, about, reason }) => (
        <Text key={line} component="li" size="sm">
          <Anchor component={Link} to={`/crm/contact/view/${line}`} inherit>
            {about}
          </Anchor>
          : {reason}
        </Text>
      ))}
      {children && (
        <Text component="li" size="sm">
          {children}
        </Text>
      )}
    </Stack>
  </section>
)

export const PreviewLeadName = ({ lead }: { readonly lead: LeadRecord | undefined }) => (
  <Text size="sm" c="dimmed">
    {lead ? `Preview for ${formatLeadName(lead)}:` : 'No leads match any more.'}
  </Text>
)
