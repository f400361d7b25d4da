import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/seed/fill.ts'
import { taxRate } from './tax-rate.ts'
import { UK_RATES } from './uk-rates.ts'

/** What the provider's VAT is charged by. */
export const taxReference: Reference = {
  name: 'billing',
  needs: ['provider'],
  edition: 2,
  load: async (c) => {
    await addMissing(c, taxRate, 'code', UK_RATES)
  },
}
