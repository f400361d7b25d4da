import { z } from 'zod'
import { RENEWAL_OUTCOMES } from './counted-sale.ts'

const KNOWN = RENEWAL_OUTCOMES.filter(({ value }) => value !== 'none')

/** Renewal outcome as a list filter; `any` means the sale has a renewal, whatever its outcome. */
export const renewalFilterSchema = z.enum(['', 'any', 'open', 'renewed', 'lost']).default('')
export const RENEWAL_FILTER = {
  key: 'renewal',
  label: 'Renewal',
  options: [{ value: 'any', label: 'Has a renewal', asks: { renewal: '', 'exists[renewsOn]': 'true' } }, ...KNOWN],
}
