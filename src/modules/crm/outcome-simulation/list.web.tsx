import { Button, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { ChartWithTable } from '#web/charts/chart.tsx'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { useValueAt } from '#web/forms/store/use-value-store.ts'
import type { ValueStore } from '#web/forms/store/value-store.ts'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema, retiredFilterSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { ErrorState } from '#web/ui/states.tsx'
import type { OutcomeRecord } from '../outcomes/data.web.ts'
import { callOutcome } from '../outcomes/outcome.ts'
import { OUTCOME_SIMULATION_URL, type OutcomeSimulation } from './rehearse.ts'

interface Props {
  readonly store: ValueStore
}

/**
 * Returns the section of an outcome's form that applies the typed values to recent calls as a simulation. There is one
 * component per outcome.
 */
const made = new Map<string, (props: Props) => React.ReactNode>()
function outcomeSimulationOf(outcome: string) {
  const known = made.get(outcome) ?? (({ store }: Props) => <Rehearse outcome={outcome} store={store} />)
  made.set(outcome, known)
  return known
}

const CHART_DAYS = 31

function Rehearse({ outcome, store }: Props & { readonly outcome: string }) {
  const effect = useValueAt(store, ['effect'])
  const interval = useValueAt(store, ['interval'])
  const unit = useValueAt(store, ['unit'])
  const workingDays = useValueAt(store, ['workingDays'])
  const asked = JSON.stringify({
    outcome,
    effect,
    interval: interval || null,
    unit,
    workingDays: workingDays !== false,
  })
  const [shown, setShown] = useState<{ asked: string; answer?: OutcomeSimulation; error?: unknown }>()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      setShown({ asked, answer: await callApi<OutcomeSimulation>('POST', OUTCOME_SIMULATION_URL, JSON.parse(asked)) })
    } catch (error) {
      setShown({ asked, error })
    }
    setBusy(false)
  }
  const now = shown?.asked === asked ? shown : undefined
  return (
    <Stack gap="sm">
      <div>
        <Button variant="light" loading={busy} onClick={() => void run()}>
          Simulate with the last 500 calls
        </Button>
      </div>
      {!now && <Text size="sm">See how the change would have affected each day’s calls. Nothing is saved.</Text>}
      {now?.error !== undefined && <ErrorState error={now.error} onRetry={() => void run()} />}
      {now?.answer && <Told told={now.answer} />}
    </Stack>
  )
}

function Told({ told: { calls, concerned, days, formula } }: { readonly told: OutcomeSimulation }) {
  if (!concerned)
    return <Text size="sm">None of the last {calls} calls had this outcome, so nothing would change.</Text>
  const moved = days.filter((d) => d.before !== d.after)
  const shown = (moved.length ? moved : days).slice(0, CHART_DAYS)
  const most = (which: 'before' | 'after') => Math.max(0, ...days.map((d) => d[which]))
  return (
    <>
      <ChartWithTable
        title="Leads due by day"
        summary={`${concerned} of the last ${calls} calls had this outcome. The busiest day has ${most('before')} leads with the current rule, and ${most('after')} with the new one.`}
        columns={shown.map(({ day }) => formatIsoDateAsUk(day))}
        rowIs="Rule"
        series={[
          { label: 'Current', meaning: 'plain', cells: shown.map(({ before }) => ({ value: before })) },
          { label: 'New', meaning: 'info', cells: shown.map(({ after }) => ({ value: after })) },
        ]}
      />
      <Text size="sm" c="dimmed">
        {formula}
      </Text>
    </>
  )
}

const LIST = listUrlSchema({ retired: retiredFilterSchema })

/** Formats the interval of an outcome, such as `7 days`. Returns a dash if the outcome sets no date. */
const spanOf = ({ interval, unit }: OutcomeRecord) =>
  interval === null ? '—' : `${interval} ${interval === 1 ? unit.slice(0, -1) : unit}`
/** Returns the keys to press for an outcome, such as `3` or `0 3`. */
const keysOf = (key: number | null) => (key === null ? '—' : key < 10 ? String(key) : `0 ${key - 9}`)

/** List of call outcomes. Lead administrators can edit an outcome and simulate the change first. */
export default function OutcomesPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState<OutcomeRecord | 'new'>()
  const close = () => setOpen(undefined)
  const one = open === 'new' ? undefined : open
  return (
    <Page
      title="Call outcomes"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('new')}>
          New outcome
        </Button>
      }
    >
      <DataList
        resource={callOutcome}
        label="Call outcomes"
        state={state}
        onState={set}
        search={false}
        params={{ effect: ['callback', 'rest', 'clear', 'keep', 'bar', 'skip'] }}
        filters={['retired']}
        columns={[
          { key: 'text', title: 'Outcome', link: true },
          { key: 'key', title: 'Keys', tight: true, render: ({ key }) => keysOf(key) },
          { key: 'effect', title: 'Effect' },
          { key: 'interval', title: 'Interval', tight: true, render: spanOf },
          { key: 'meaning', title: 'Sales result', tight: true },
        ]}
        onOpen={setOpen}
      />
      <Dialog opened={open !== undefined} onClose={close} title={one ? (one.text ?? '') : 'New outcome'} size={760}>
        <ResourceForm
          resource={callOutcome}
          fields={one ? CHANGED : NEW_OUTCOME_FIELDS}
          {...(one ? { record: one, Above: outcomeSimulationOf(one['@id']) } : {})}
          defaults={{ effect: 'rest', interval: 7, category: 'CB' }}
          decided
          onCancel={close}
          onSaved={close}
          action={one ? 'Save outcome' : 'Create outcome'}
        />
      </Dialog>
    </Page>
  )
}

const CHANGED = [
  'text',
  'key',
  'effect',
  'interval',
  'unit',
  'workingDays',
  'asks',
  'becomes',
  'owner',
  'tray',
  'notes',
  'meaning',
  'retired',
] as const
const NEW_OUTCOME_FIELDS = ['text', 'category', ...CHANGED.slice(1, -1)] as const
