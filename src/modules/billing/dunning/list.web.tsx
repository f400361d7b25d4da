import { Button } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { lastIriSegment } from '#kernel/iri.ts'
import { formatMoney } from '#kernel/money.ts'
import { formatIsoDateAsUk, londonDate, now } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { DunningChip } from './chip.web.tsx'
import { describeNextDunningStep } from './data.web.ts'
import { dunning } from './dunning.ts'
import { dunningSettings } from './plan.ts'

const WIDE = ['automatic', 'remindAll', 'final']

/** Dunning settings form, which only finance staff can edit. */
function DunningSettingsForm({ onDone }: { readonly onDone: () => void }) {
  const rules = useList(dunningSettings)
  const record = rules.data?.['hydra:member'][0]
  if (rules.isError) return <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
  if (!record) return <LoadingRows rows={6} />
  return <ResourceForm resource={dunningSettings} record={record} wide={WIDE} onCancel={onDone} onSaved={onDone} />
}

const AGES = [
  { value: '30', label: 'Up to 30 days' },
  { value: '60', label: '31 to 60 days' },
  { value: '90', label: '61 to 90 days' },
  { value: 'more', label: 'More than 90 days' },
] as const

const LIST = listUrlSchema({
  state: z.enum(['', 'collecting', 'held', 'collected', 'ended']).default(''),
  age: z.enum(['', '30', '60', '90', 'more']).default(''),
})

const daysAgo = (days: number) => londonDate(now()).subtract({ days }).toString()

/**
 * Returns the filters for the chosen age. If no status is chosen, the list shows only invoices that have not been
 * collected yet.
 */
function asked({ state, age }: { readonly state: string; readonly age: string }) {
  const open = state ? {} : { state: ['collecting', 'held', 'ended'] }
  if (!age) return open
  const most = age === 'more' ? {} : { 'dueOn[after]': daysAgo(Number(age)) }
  return { ...open, ...most, 'dueOn[before]': daysAgo(age === '30' ? 0 : age === 'more' ? 91 : Number(age) - 29) }
}

const ageOf = (dueOn: string): number =>
  Temporal.PlainDate.from(dueOn).until(londonDate(now()), { largestUnit: 'days' }).days

const ageWords = (days: number): string => (days <= 0 ? 'not yet' : days === 1 ? '1 day' : `${days} days`)

/** Overdue invoices, longest overdue first, with the reason and the next step. */
export default function FailedPaymentsPage() {
  const [state, set] = useUrlState(LIST)
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Page
      title="Failed payments"
      actions={
        <Button variant="default" onClick={() => setOpen(true)}>
          Reminder settings
        </Button>
      }
    >
      <DataList
        resource={dunning}
        label="Failed payments"
        state={state}
        onState={set}
        search="Search by customer"
        params={asked(state)}
        filters={['state', { key: 'age', label: 'Overdue', options: AGES }]}
        empty={
          <EmptyState title="No failed payments">
            Overdue invoices, and invoices whose card payment was declined, appear here automatically and disappear once
            they are paid.
          </EmptyState>
        }
        columns={[
          { key: 'invoice', title: 'Invoice', tight: true, render: (d) => d.invoice.number },
          { key: 'company', title: 'Customer' },
          { key: 'state', title: 'Status', tight: true, render: (d) => <DunningChip of={d} /> },
          {
            key: 'amount',
            title: 'Amount due',
            render: (d) => <span className={css.money}>{formatMoney(d.invoice.amountDue, d.invoice.currency)}</span>,
          },
          { key: 'dueOn', title: 'Due', order: 'dueOn', render: (d) => formatIsoDateAsUk(d.dueOn) },
          { key: 'age', title: 'Overdue', render: (d) => ageWords(ageOf(d.dueOn)) },
          { key: 'failures', title: 'Times declined', wide: true, order: 'failures', render: (d) => `${d.failures} ×` },
          { key: 'failure', title: 'Last decline reason', wide: true, render: (d) => d.failure || '—' },
          { key: 'nextOn', title: 'Next step', order: 'nextOn', render: describeNextDunningStep },
        ]}
        href={(d) => `/crm/invoice/${lastIriSegment(d.invoice['@id'])}`}
      />
      <Dialog opened={open} onClose={close} title="Reminder settings" size="46rem">
        <DunningSettingsForm onDone={close} />
      </Dialog>
    </Page>
  )
}
