import { Button, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { formatMoney } from '#kernel/money.ts'
import { composeEmail } from '#kernel/system-email.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { useList } from '#web/api/resources.ts'
import { DateTimeText } from '#web/dates/relative.tsx'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import { DataList } from '#web/lists/data-list.tsx'
import { listUrlSchema } from '#web/lists/list-state.ts'
import { useUrlState } from '#web/lists/use-url-state.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import page from '#web/ui/page.module.css'
import { Page } from '#web/ui/page.tsx'
import { EmptyState, ErrorState, LoadingRows } from '#web/ui/states.tsx'
import css from '../billing.module.css'
import { useBillingUrls } from '../billing-urls.web.ts'
import { SAMPLE_INVOICE } from '../invoices/emails.ts'
import { ChaseActions } from './chase.web.tsx'
import { PromiseChip } from './chip.web.tsx'
import { findUnknownPlaceholders, invoiceDueEmail, invoiceOverdueEmail, REMINDER_PLACEHOLDERS } from './emails.ts'
import { overdueInvoice } from './overdue.ts'
import { dunningSettings, parseDayList, type ReminderWording } from './plan.ts'

const LIST = listUrlSchema({
  promise: z.enum(['', 'open', 'kept', 'broken']).default(''),
  settings: z.enum(['', '1']).default(''),
})

/** Overdue invoices, oldest first, with the last contact and any promise to pay. */
export default function OverduePage() {
  const [state, set] = useUrlState(LIST)
  const places = useBillingUrls()
  const { settings, ...list } = state
  const close = () => set({ settings: '' })
  return (
    <Page
      title="Overdue"
      actions={
        <Button variant="default" onClick={() => set({ settings: '1' })}>
          Reminder settings
        </Button>
      }
    >
      <DataList
        resource={overdueInvoice}
        label="Overdue invoices"
        state={list}
        onState={set}
        search="Search by invoice or customer"
        filters={['promise']}
        bulkWords={{ remind: { title: 'Send reminders', done: 'being e-mailed' } }}
        empty={<EmptyState title="No overdue invoices">Invoices appear here the day after their due date.</EmptyState>}
        columns={[
          { key: 'number', title: 'Invoice', tight: true },
          { key: 'company', title: 'Customer', render: (i) => i.company || '—' },
          {
            key: 'amountDue',
            title: 'Amount due',
            render: (i) => <span className={css.money}>{formatMoney(i.amountDue, i.currency)}</span>,
          },
          {
            key: 'daysOverdue',
            title: 'Days overdue',
            tight: true,
            render: (i) => `${i.daysOverdue ?? 0} ${i.daysOverdue === 1 ? 'day' : 'days'}`,
          },
          {
            key: 'lastContactAt',
            title: 'Last contact',
            render: (i) => (i.lastContactAt ? <DateTimeText at={i.lastContactAt} /> : 'None recorded'),
          },
          {
            key: 'promise',
            title: 'Promise to pay',
            render: (i) =>
              i.promise && i.promisedOn ? (
                <span>
                  {formatMoney(i.promisedAmount ?? 0, i.currency)} by {formatIsoDateAsUk(i.promisedOn)}{' '}
                  <PromiseChip state={i.promise} />
                </span>
              ) : (
                '—'
              ),
            fields: ['promisedOn', 'promisedAmount'],
          },
          {
            key: 'pausedUntil',
            title: 'Paused',
            render: (i) =>
              i.pausedUntil ? (
                <>
                  Until {formatIsoDateAsUk(i.pausedUntil)}
                  {/* Hidden if a promise is shown, because the promise is the reason for the pause. */}
                  {i.promise !== 'open' && i.pauseReason && <span className={css.why}>{i.pauseReason}</span>}
                </>
              ) : (
                '—'
              ),
            fields: ['pauseReason'],
          },
          {
            key: 'notes',
            title: 'Note',
            wide: true,
            render: (i) => (i.notes ? <span className={css.why}>{i.notes}</span> : '—'),
          },
        ]}
        rowActions={(i) => <ChaseActions of={i} />}
        href={(i) => places.invoice(i.id)}
      />
      <Dialog opened={settings === '1'} onClose={close} title="Reminder settings" size="46rem">
        <DunningSettingsForm onDone={close} />
      </Dialog>
    </Page>
  )
}

const WIDE = ['automatic', 'remindAll', 'wording', 'interestInReminders', 'final']

/** Reminder settings, which only finance staff can edit. */
function DunningSettingsForm({ onDone }: { readonly onDone: () => void }) {
  const rules = useList(dunningSettings)
  const record = rules.data?.['hydra:member'][0]
  if (rules.isError) return <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
  if (!rules.data) return <LoadingRows rows={6} />
  return (
    <ResourceForm
      resource={dunningSettings}
      {...(record ? { record } : {})}
      wide={WIDE}
      inputs={{ wording: WordingInput }}
      onCancel={onDone}
      onSaved={onDone}
    />
  )
}

const SAMPLE_DUE_ON = '2026-03-15'

/** Composes a reminder as a customer would receive it, with a sample invoice. */
function previewReminder(days: number, own: ReminderWording | undefined) {
  const today = Temporal.PlainDate.from(SAMPLE_DUE_ON).add({ days }).toString()
  return composeEmail(days < 0 ? invoiceDueEmail : invoiceOverdueEmail, {
    invoice: SAMPLE_INVOICE,
    dueOn: SAMPLE_DUE_ON,
    today,
    lapsesOn: null,
    wording: own,
  })
}

function stepName(days: number): string {
  if (days === 0) return 'On the due date'
  const count = Math.abs(days) === 1 ? '1 day' : `${Math.abs(days)} days`
  return `${count} ${days < 0 ? 'before' : 'after'} the due date`
}

/** The client's own wording of each reminder, with a preview. Other steps use the portal's wording. */
const WordingInput: CustomInput = ({ value, onChange, error }) => {
  const all = (Array.isArray(value) ? value : []) as readonly ReminderWording[]
  return <Wordings all={all} onChange={onChange} error={error} />
}

interface WordingsProps {
  readonly all: readonly ReminderWording[]
  readonly onChange: (all: readonly ReminderWording[]) => void
  readonly error?: ReactNode
}

function Wordings({ all, onChange, error }: WordingsProps) {
  const days = useReminderDays()
  const [shown, setShown] = useState<number>()
  const put = (one: ReminderWording) =>
    onChange([...all.filter((other) => other.days !== one.days), one].toSorted((a, b) => a.days - b.days))
  return (
    <Stack gap="sm">
      <Title order={3} size="h6">
        Wording of reminders
      </Title>
      {error && <Text c="red">{error}</Text>}
      <Text size="sm">Placeholders: {REMINDER_PLACEHOLDERS.join(', ')}. The payment link is always added.</Text>
      {days.map((day) => {
        const own = all.find((one) => one.days === day)
        const unknown = own ? findUnknownPlaceholders(`${own.subject} ${own.message}`) : []
        const { subject, body } = previewReminder(day, own)
        return (
          <section key={day} className={page.card} aria-label={stepName(day)}>
            <Title order={4} size="h6">
              {stepName(day)}
            </Title>
            {own && (
              <>
                <TextInput
                  label="Subject"
                  value={own.subject}
                  maxLength={200}
                  onChange={(e) => put({ ...own, subject: e.currentTarget.value })}
                />
                <Textarea
                  label="Message"
                  autosize
                  minRows={3}
                  maxLength={4000}
                  value={own.message}
                  error={unknown.length ? `Unknown placeholder: ${unknown.join(', ')}` : undefined}
                  onChange={(e) => put({ ...own, message: e.currentTarget.value })}
                />
              </>
            )}
            <span>
              {own ? (
                <Button variant="subtle" onClick={() => onChange(all.filter((one) => one.days !== day))}>
                  Use the standard wording
                </Button>
              ) : (
                <Button
                  variant="subtle"
                  onClick={() =>
                    put({
                      days: day,
                      subject: day < 0 ? 'Invoice {invoice} is due on {due date}' : 'Overdue: invoice {invoice}',
                      message:
                        day < 0
                          ? '{amount} for our invoice {invoice} is due on {due date}.'
                          : '{amount} for our invoice {invoice} was due on {due date}, {days overdue} days ago.',
                    })
                  }
                >
                  Write my own
                </Button>
              )}
              <Button
                variant="subtle"
                aria-expanded={shown === day}
                onClick={() => setShown(shown === day ? undefined : day)}
              >
                Preview
              </Button>
            </span>
            {shown === day && (
              <Text size="sm" component="div" style={{ whiteSpace: 'pre-wrap' }}>
                <strong>{subject}</strong>
                {'\n\n'}
                {body.replace('{{secret link}}', 'https://…/pay/…')}
              </Text>
            )}
          </section>
        )
      })}
    </Stack>
  )
}

/** Reminder days for clients without saved settings. */
const DEFAULT_DAYS = '-3, 1, 7, 14'

/** Returns the days of the saved reminders. New days can be given their own wording after they are saved. */
function useReminderDays(): readonly number[] {
  const record = useList(dunningSettings).data?.['hydra:member'][0]
  return parseDayList(record?.reminderDays ?? DEFAULT_DAYS)
}
