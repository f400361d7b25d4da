import { z } from 'zod'
import { CURRENCIES } from '#kernel/money.ts'
import { cameFrom } from '#modules/crm/contacts/lookups.ts'
import { emptyFieldFilter, emptyFieldState } from '#web/lists/empty-field-filter.ts'
import { weekState } from '#web/lists/weeks.ts'

/** What a list of money keeps in the address beside its own: the days, the currency, and where the customer's lead came from. */
export const sourceState = {
  when: weekState,
  currency: z.enum(['', ...CURRENCIES]).default(''),
  cameFrom: z.string().regex(/^\d*$/).default(''),
  notSaid: emptyFieldState,
}
export const SOURCE_FILTERS = [
  'currency',
  { key: 'cameFrom', label: 'Came from', target: cameFrom },
  emptyFieldFilter({ cameFrom: 'Came from' }),
]
