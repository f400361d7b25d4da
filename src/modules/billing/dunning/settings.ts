import { choice, flag, integer, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { BOOKS, FINANCE, SELL } from '../rights.ts'

/** Outcomes for an invoice still unpaid on the last day. */
export const FINALS = [
  { value: 'keep', label: 'Stays past due: read and exported only' },
  { value: 'cancel', label: 'The subscription is cancelled' },
  { value: 'uncollectible', label: 'The invoice is written off' },
] as const
export type Final = (typeof FINALS)[number]['value']

/** Dunning rules of a client. One record. */
export const dunningSettings = resource({
  type: 'DunningSettings',
  service: 'financial',
  pack: BOOKS,
  path: 'dunning_settings',
  table: 'dunning_settings',
  tenant: 'own',
  fields: {
    automatic: flag({ default: true, label: 'Charge the card of a subscription on the due day' }),
    retryDays: text({
      default: '3, 5, 7, 14',
      max: 40,
      label: 'Try a declined card again',
      help: 'Days after the first failure, at most four: 3, 5, 7, 14. A card that was declined for good is not tried again.',
    }),
    reminderDays: text({
      default: '-3, 1, 7, 14',
      max: 60,
      label: 'Remind those who don’t pay by card',
      help: 'Days after the due day, at most eight; with a minus, before it: -3, 1, 7, 14.',
    }),
    remindAll: flag({ label: 'Remind of other invoices too, not only of subscriptions' }),
    lapseDays: integer({
      required: true,
      default: 14,
      min: 0,
      max: 365,
      label: 'Days overdue until it can only be read',
      help: 'What a subscription opens can then be read and exported, until it is paid.',
    }),
    finalDays: integer({
      required: true,
      default: 30,
      min: 1,
      max: 365,
      label: 'Days overdue until collecting ends',
      help: 'Never before the last try with the card.',
    }),
    final: choice(FINALS, { required: true, default: 'keep', label: 'What becomes of it then' }),
  },
  allow: { read: SELL, update: FINANCE },
})
