import { z } from 'zod'
import { CURRENCIES } from '#kernel/money.ts'
import { cameFrom } from '#modules/crm/contacts/lookups.ts'
import { emptyFieldFilter, emptyFieldState } from '#web/lists/empty-field-filter.ts'
import { weekState } from '#web/lists/weeks.ts'

/** URL state shared by financial lists: dates, currency and lead source. */
export const sourceState = {
  when: weekState,
  currency: z.enum(['', ...CURRENCIES]).default(''),
  cameFrom: z.string().regex(/^\d*$/).default(''),
  notSaid: emptyFieldState,
}
export const SOURCE_FILTERS = [
  'currency',
  { key: 'cameFrom', label: 'Lead source', target: cameFrom },
  emptyFieldFilter({ cameFrom: 'Lead source' }),
]
