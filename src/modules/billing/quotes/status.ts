import { text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { QUOTE_STATES, type QuoteState } from '../print/state.ts'

/** `open` → 2 */
export const quoteStatusId = (state: QuoteState): number => QUOTE_STATES.indexOf(state) + 1

/** Status of a quote: `/api/financial/statuses/1` is a draft. */
export const quoteStatus = resource({
  type: 'Status',
  service: 'financial',
  path: 'statuses',
  table: 'quote_status',
  tenant: 'shared',
  title: 'name',
  order: ['id'],
  unpaginated: true,
  fields: { name: text({ readonly: true, filter: true, order: true }) },
  allow: { read: 'member' },
})
