import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'

/** The states of a quote, by the numbers that clients of the API know. */
export const STATES = ['draft', 'open', 'accepted', 'declined', 'expired', 'cancelled'] as const
export type QuoteState = (typeof STATES)[number]

/** `open` → 2 */
export const statusOf = (state: QuoteState): number => STATES.indexOf(state) + 1

/** Where a quote stands: `/api/financial/statuses/1` is a draft. */
export const quoteStatus = resource({
  type: 'Status',
  service: 'financial',
  path: 'statuses',
  table: 'quote_status',
  tenant: 'shared',
  title: 'name',
  order: ['id'],
  whole: true,
  fields: { name: text({ readonly: true, filter: true, order: true }) },
  allow: { read: 'member' },
})
