import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatIsoDateAsUk } from '#kernel/time.ts'
import { describeDelivery, type EmailDelivery } from '#modules/crm/mail/message.ts'
import { callApi } from '#web/api/client.ts'
import { invoice } from '../invoices/invoice.ts'
import { type DunningPlan, type DunningSilence, dunning } from './dunning.ts'
import { overdueInvoice } from './overdue.ts'
import type { FinalDunningStep, UpcomingDunningStep } from './plan.ts'

/** Returns an invoice's reminder history and next steps, which are refetched with the invoice. */
export const useDunningPlan = (of: { readonly '@id': string }) =>
  useQuery({
    queryKey: [invoice.url, 'dunning', of['@id']],
    queryFn: ({ signal }) => callApi<DunningPlan>('GET', `${of['@id']}/dunning`, undefined, { signal }),
  })

/** Returns a mutation that pauses or resumes an invoice's reminders. */
export function useDunningMutation<T, V = void>(send: (what: V) => Promise<T>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: send,
    onSuccess: () =>
      Promise.all([invoice, dunning, overdueInvoice].map((r) => queries.invalidateQueries({ queryKey: [r.url] }))),
  })
}

const ENDS: Readonly<Record<FinalDunningStep, string>> = {
  keep: 'Reminders will stop; the invoice will stay overdue',
  cancel: 'Reminders will stop; the subscription will be cancelled',
  uncollectible: 'Reminders will stop; the invoice will be written off',
}

export function describeDunningStep(step: UpcomingDunningStep, final: FinalDunningStep, isNext: boolean): string {
  if (step.kind === 'charge') {
    if (step.by === 'debit')
      return step.attempt === 0
        ? 'Collection by Direct Debit'
        : isNext
          ? 'Collection by Direct Debit, again'
          : 'Collection by Direct Debit again, if the previous one fails'
    if (step.attempt === 0) return 'The card will be charged'
    return isNext
      ? 'The card will be charged again'
      : 'The card will be charged again if the previous charge is declined'
  }
  if (step.kind === 'notice') return `Notice of the Direct Debit on ${formatIsoDateAsUk(step.collectOn)}`
  if (step.kind === 'reminder') return step.days < 0 ? 'Reminder before the due date' : 'Payment reminder'
  return step.kind === 'lapse' ? 'Modules will become read-only' : ENDS[final]
}

/** Describes the delivery of a step's e-mail; empty for a step without one. */
export const describeStepEmail = ({ sentTo, email }: DunningPlan['steps'][number]): string =>
  email
    ? describeDelivery({ ...email, state: email.state as EmailDelivery['state'] }, NO_MAIL_SERVER)
    : sentTo
      ? `No e-mail to ${sentTo} is recorded`
      : ''
const NO_MAIL_SERVER = 'Remind the customer yourself, or ask an administrator to set up a mail server.'

/** Explanations why an invoice gets no automatic reminder. */
export const SILENCE: Readonly<Record<DunningSilence, string>> = {
  off: 'No automatic reminders: they are turned off for invoices without a subscription.',
  paused: 'No automatic reminders while they are paused.',
  held: 'No automatic reminders: they are on hold.',
  ended: 'No automatic reminders: the last one was sent, and reminders have stopped.',
  payment: 'No automatic reminders while a payment is in progress.',
  mail: 'No automatic reminders: the e-mail with this invoice was not accepted by a mail server. Check the customer’s address and send the invoice again.',
  address: 'No automatic reminders: the customer has no e-mail address for invoices.',
  done: 'No more automatic reminders: the days for reminders have passed.',
}
