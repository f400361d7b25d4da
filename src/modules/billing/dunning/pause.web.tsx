import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { RecordOf } from '#kernel/resource.ts'
import { ukDay } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { DateField } from '#web/dates/date-field.tsx'
import { DialogActions } from '#web/ui/dialog.tsx'
import { ErrorText } from '#web/ui/error-text.tsx'
import { errorSentence } from '#web/ui/toast.ts'
import { useUnsavedGuard } from '#web/ui/unsaved.tsx'
import type { InvoiceRecord } from '../invoices/actions.web.tsx'
import { invoice } from '../invoices/invoice.ts'
import type { DunningPlan } from './dunning.ts'
import { dunning } from './dunning.ts'
import type { FinalStep, UpcomingDunningStep } from './mail.ts'

type DunningRecord = RecordOf<typeof dunning>

/** Reminder history of an invoice and its next steps. Refetched with the invoice. */
export const useDunningPlan = (of: { readonly '@id': string }) =>
  useQuery({
    queryKey: [invoice.url, 'dunning', of['@id']],
    queryFn: ({ signal }) => callApi<DunningPlan>('GET', `${of['@id']}/dunning`, undefined, { signal }),
  })

/** Pauses or resumes the reminders of an invoice. */
export function useDunningAction<V>(send: (what: V) => Promise<DunningPlan>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => Promise.all([invoice, dunning].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

const ENDS: Readonly<Record<FinalStep, string>> = {
  keep: 'Reminders stop; the invoice stays overdue',
  cancel: 'Reminders stop; the subscription is cancelled',
  uncollectible: 'Reminders stop; the invoice is written off',
}

/** Short description of a step. */
export function dunningStepWords(step: UpcomingDunningStep, final: FinalStep, isNext: boolean): string {
  if (step.kind === 'charge') {
    if (step.attempt === 0) return 'The card is charged'
    return isNext ? 'The card is charged again' : 'The card is charged again if it was declined'
  }
  if (step.kind === 'reminder') return step.days < 0 ? 'Reminder before the due date' : 'Payment reminder'
  return step.kind === 'lapse' ? 'Modules become read-only' : ENDS[final]
}

/** Next step of a record, for lists. */
export const nextDunningWords = ({ nextOn, nextStep }: Pick<DunningRecord, 'nextOn' | 'nextStep'>): string => {
  if (!nextOn || !nextStep) return '—'
  const what = { charge: 'card', reminder: 'reminder', end: 'end' }[nextStep]
  return `${ukDay(nextOn)}, ${what}`
}

/** Dialog to pause reminders until a date, with a reason. */
export function PauseDunningForm({ of, onDone }: { readonly of: InvoiceRecord; readonly onDone: () => void }) {
  const [until, setUntil] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const pause = useDunningAction(() =>
    callApi<DunningPlan>('POST', `${of['@id']}/dunning/pause`, { until, reason: reason.trim() }),
  )
  const unsaved = useUnsavedGuard(!pause.isSuccess && (until !== null || reason !== ''))
  const ready = until !== null && reason.trim() !== ''
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault()
        if (ready) pause.mutate(undefined, { onSuccess: onDone })
      }}
    >
      {unsaved}
      <Stack>
        {pause.error && <ErrorText>{errorSentence(pause.error)}</ErrorText>}
        <Text size="sm">
          Until that day has ended, the card is not charged, no reminders are sent and access is not restricted.
        </Text>
        <DateField label="Promised to pay by (Required)" value={until} onChange={setUntil} />
        <TextInput
          label="Why? (Required)"
          maxLength={500}
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
        />
      </Stack>
      <DialogActions>
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={pause.isPending} disabled={!ready}>
          Pause reminders
        </Button>
      </DialogActions>
    </form>
  )
}
