import { choice, flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { FINANCE_ROLES, INVOICING_PACK, SELLING_ROLES } from '../rights.ts'

/** Outcomes for an invoice still unpaid on the last day. */
export const FINAL_STEPS = [
  { value: 'keep', label: 'Stays overdue; modules stay read-only' },
  { value: 'cancel', label: 'The subscription is cancelled' },
  { value: 'uncollectible', label: 'The invoice is written off' },
] as const
export type FinalStep = (typeof FINAL_STEPS)[number]['value']

/** Dunning rules of a client. One record. */
export const dunningSettings = resource({
  type: 'DunningSettings',
  service: 'financial',
  pack: INVOICING_PACK,
  path: 'dunning_settings',
  table: 'dunning_settings',
  tenant: 'own',
  fields: {
    automatic: flag({ default: true, label: 'Charge the card of a subscription on the due date' }),
    retryDays: text({
      default: '3, 5, 7, 14',
      max: 40,
      label: 'Retry a declined card after (days)',
      help: 'Days after the first decline, at most four: 3, 5, 7, 14. Permanently declined cards are not retried.',
    }),
    reminderDays: text({
      default: '-3, 1, 7, 14',
      max: 60,
      label: 'Send reminders to customers without a card (days)',
      help: 'Days after the due date, at most eight; negative for days before: -3, 1, 7, 14.',
    }),
    remindAll: flag({ label: 'Send reminders for all invoices, not only subscriptions' }),
    lapseDays: integer({
      required: true,
      default: 14,
      min: 0,
      max: 365,
      label: 'Make read-only after (days overdue)',
      help: 'The subscription’s data can then be read and exported only, until it is paid.',
    }),
    finalDays: integer({
      required: true,
      default: 30,
      min: 1,
      max: 365,
      label: 'Stop reminders after (days overdue)',
      help: 'Never before the last attempt with the card.',
    }),
    final: choice(FINAL_STEPS, { required: true, default: 'keep', label: 'Then' }),
  },
  allow: { read: SELLING_ROLES, update: FINANCE_ROLES },
})
