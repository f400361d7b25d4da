import { z } from 'zod'
import { RENEWALS } from './counted-sale.ts'

const KNOWN = RENEWALS.filter(({ value }) => value !== 'none')

/** What became of a renewal, in the address of a list; `any`: there is one, whatever became of it. */
export const renewalState = z.enum(['', 'any', 'open', 'renewed', 'lost']).default('')
export const RENEWAL_FILTER = {
  key: 'renewal',
  label: 'Renewal',
  options: [
    { value: 'any', label: 'Has a year to renew', asks: { renewal: '', 'exists[renewsOn]': 'true' } },
    ...KNOWN,
  ],
}
