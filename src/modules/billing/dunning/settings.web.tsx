import { Button, Stack, Text, Textarea, TextInput, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { composeEmail } from '#kernel/system-email.ts'
import { useList } from '#web/api/resources.ts'
import { type CustomInput, ResourceForm } from '#web/forms/resource-form.tsx'
import page from '#web/ui/page.module.css'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { SAMPLE_INVOICE } from '../invoices/emails.ts'
import { invoiceDueEmail, invoiceOverdueEmail, REMINDER_PLACEHOLDERS, unknownPlaceholders } from './emails.ts'
import { dunningSettings, parseDayList, type ReminderWording } from './plan.ts'

const WIDE = ['automatic', 'remindAll', 'wording', 'interestInReminders', 'final']

/** Reminder settings, which only finance staff can edit. */
export function DunningSettingsForm({ onDone }: { readonly onDone: () => void }) {
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

/** Composes a reminder as a customer would get it, with a sample invoice. */
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

const stepName = (days: number) =>
  days < 0 ? `${-days} days before the due date` : days === 0 ? 'On the due date' : `${days} days after the due date`

/** Own wording of each reminder, with a preview. Steps without one use the portal's wording. */
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
        const unknown = own ? unknownPlaceholders(`${own.subject} ${own.message}`) : []
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

/** Days of a client without saved settings. */
const DEFAULT_DAYS = '-3, 1, 7, 14'

/** Days of the saved reminders. New days get a wording after they are saved. */
function useReminderDays(): readonly number[] {
  const record = useList(dunningSettings).data?.['hydra:member'][0]
  return parseDayList(record?.reminderDays ?? DEFAULT_DAYS)
}
