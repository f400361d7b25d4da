import type { Reference } from '#server/engine/world.ts'
import { addMissing } from '#server/world/fill.ts'
import { taxRate } from './tax-rate.ts'

/** The rates of VAT in the United Kingdom. */
export const taxReference: Reference = {
  name: 'billing',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    await addMissing(c, taxRate, 'percent', [
      { name: 'Standard rate', percent: 20, from: '2011-01-04' },
      { name: 'Reduced rate', percent: 5, from: '1997-09-01' },
      { name: 'Zero rate', percent: 0, from: '1973-04-01' },
    ])
  },
}
