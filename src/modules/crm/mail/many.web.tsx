import '@mantine/core/styles/Progress.layer.css'
import { Alert, Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { figure } from '#kernel/text.ts'
import { type Collection, call } from '#web/api/client.ts'
import { idempotencyKeys } from '#web/api/idempotency.ts'
import { reading } from '#web/api/reading.ts'
import { followRun, type Run, type RunRefusal, refusalsOf, stopRun } from '#web/lists/extras/runs.ts'
import { sentence, toast } from '#web/ui/toast.ts'
import { type Lead, leadName } from '../contacts/data.web.ts'

/** Result of a batch, with the excluded leads. */
interface Over {
  readonly run: Run
  readonly left: readonly RunRefusal[]
}

/** Starts a batch once, however often the button is pressed, and follows it to its end. */
export function useMany(url: string, touched: readonly string[]) {
  const queries = useQueryClient()
  const keys = useRef(idempotencyKeys())
  const away = useRef<AbortController>(undefined)
  const [run, setRun] = useState<Run>()
  const [over, setOver] = useState<Over>()
  const [failed, setFailed] = useState<string>()
  const [busy, setBusy] = useState(false)
  useEffect(() => () => away.current?.abort(), [])
  const start = async (body: Readonly<Record<string, unknown>>) => {
    setBusy(true)
    setFailed(undefined)
    try {
      const begun = await call<Run>('POST', url, body, { idempotencyKey: keys.current.keyFor({ url, body }) })
      keys.current.forget()
      away.current = new AbortController()
      const end = await followRun(begun, setRun, away.current.signal)
      setOver({ run: end, left: end.refused ? await refusalsOf(end) : [] })
      for (const key of touched) void queries.invalidateQueries({ queryKey: [key] })
    } catch (e) {
      if (!away.current?.signal.aborted) setFailed(sentence(e))
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

/** The first lead of a query, used for the preview. */
export function useFirst(from: string, enabled: boolean): Lead | undefined {
  const url = `${from}&itemsPerPage=1`
  const found = useQuery({ queryKey: ['first lead', url], ...reading<Collection<Lead>>(url), enabled })
  return found.data?.['hydra:member'][0]
}

/** Progress of a batch, with a stop button. */
export function UnderWay({ run }: { readonly run: Run }) {
  return (
    <Stack gap="xs">
      <Progress value={run.total ? Math.min(100, ((run.done ?? 0) / run.total) * 100) : 0} aria-label="Progress" />
      <Group gap="xs">
        <Text size="sm" role="status">
          {figure((run.done ?? 0) + (run.refused ?? 0))} of {figure(run.total ?? 0)}
        </Text>
        <Button size="compact-xs" variant="subtle" onClick={() => void stopRun(run).catch(toast.failed)}>
          Stop
        </Button>
      </Group>
    </Stack>
  )
}

interface DoneProps {
  readonly over: Over
  /** "32 e-mails are being sent" */
  readonly words: (count: number) => string
  readonly children?: ReactNode
}

/** Result of a batch: the number, and the excluded leads with reasons. */
export function Done({ over: { run, left }, words, children }: DoneProps) {
  const { state, done, refused, error } = run
  const more = (refused ?? 0) - left.length
  return (
    <Stack gap="sm">
      <Alert color={state === 'failed' ? 'red' : state === 'done' ? 'green' : 'yellow'} role="status">
        {words(done ?? 0)}
        {state === 'stopped' && ' It was stopped; resume it under “Background jobs”.'}
        {state === 'failed' && ` It failed: ${error ?? 'something went wrong'}.`}
      </Alert>
      {children}
      {left.length > 0 && (
        <LeftOut title={`${figure(refused ?? 0)} excluded`} left={left}>
          {more > 0 && `And ${figure(more)} more. See “Background jobs” for all.`}
        </LeftOut>
      )}
    </Stack>
  )
}

interface LeftOutProps {
  readonly title: string
  readonly left: readonly RunRefusal[]
  readonly children?: ReactNode
}

/** Excluded leads with reasons. */
export const LeftOut = ({ title, left, children }: LeftOutProps) => (
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

/** Name of the lead in the preview. */
export const PreviewOf = ({ lead }: { readonly lead: Lead | undefined }) => (
  <Text size="sm" c="dimmed">
    {lead ? `Preview for ${leadName(lead)}:` : 'No leads match any more.'}
  </Text>
)
