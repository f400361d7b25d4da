import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RecordOf } from '#kernel/resource.ts'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { callApi } from '#web/api/client.ts'
import { invoice } from '../invoices/invoice.ts'
import { type DunningPlan, dunning } from './dunning.ts'
import type { FinalDunningStep, UpcomingDunningStep } from './plan.ts'

type DunningRecord = RecordOf<typeof dunning>

/** Returns an invoice's reminder history and next steps, which are refetched with the invoice. */
export const useDunningPlan = (of: { readonly '@id': string }) =>
  useQuery({
    queryKey: [invoice.url, 'dunning', of['@id']],
    queryFn: ({ signal }) => callApi<DunningPlan>('GET', `${of['@id']}/dunning`, undefined, { signal }),
  })

/** Returns a mutation that pauses or resumes an invoice's reminders. */
export function useDunningMutation<V>(send: (what: V) => Promise<DunningPlan>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () => Promise.all([invoice, dunning].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

const ENDS: Readonly<Record<FinalDunningStep, string>> = {
  keep: 'Reminders will stop; the invoice will stay overdue',
  cancel: 'Reminders will stop; the subscription will be cancelled',
  uncollectible: 'Reminders will stop; the invoice will be written off',
}

export function describeDunningStep(step: UpcomingDunningStep, final: FinalDunningStep, isNext: boolean): string {
  if (step.kind === 'charge') {
    if (step.attempt === 0) return 'The card will be charged'
    return isNext
      ? 'The card will be charged again'
      : 'The card will be charged again if the previous charge is declined'
  }
  if (step.kind === 'reminder') return step.days < 0 ? 'Reminder before the due date' : 'Payment reminder'
  return step.kind === 'lapse' ? 'Modules will become read-only' : ENDS[final]
}

/** Describes the next step of a dunning record, for lists. */
export const describeNextDunningStep = ({ nextOn, nextStep }: Pick<DunningRecord, 'nextOn' | 'nextStep'>): string => {
  if (!nextOn || !nextStep) return '—'
  const what = { charge: 'card', reminder: 'reminder', end: 'end' }[nextStep]
  return `${formatIsoDateAsUk(nextOn)}, ${what}`
}
