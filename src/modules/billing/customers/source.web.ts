import { z } from 'zod'
import { CURRENCIES } from '#kernel/money.ts'
import { leadSource } from '#modules/crm/contacts/import-batch.ts'
import { emptyFieldFilter, emptyFieldFilterSchema } from '#web/lists/empty-field-filter.ts'
import { weekFilterSchema } from '#web/lists/weeks.ts'

/** URL state shared by financial lists: dates, currency and lead source. */
export const financialListUrlState = {
  when: weekFilterSchema,
  currency: z.enum(['', ...CURRENCIES]).default(''),
  cameFrom: z.string().regex(/^\d*$/).default(''),
  notSaid: emptyFieldFilterSchema,
}
export const FINANCIAL_LIST_FILTERS = [
  'currency',
  { key: 'cameFrom', label: 'Lead source', target: leadSource },
  emptyFieldFilter({ cameFrom: 'Lead source' }),
]
