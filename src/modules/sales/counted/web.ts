import { z } from 'zod'

/** What came by the web alone, in the address of a list. */
export const webState = z.enum(['', 'yes']).default('')
export const WEB_FILTER = {
  key: 'web',
  label: 'By the web',
  options: [{ value: 'yes', label: 'Yes', asks: { web: '', 'cameFrom.web': 'true' } }],
}
