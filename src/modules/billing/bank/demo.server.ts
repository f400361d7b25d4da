import { PROVIDER } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoPart } from '#server/engine/initial-data.ts'
import { seedAs } from '#server/seed/seed-as.ts'
import { invoice } from '../invoices/invoice.ts'
import { importStatement } from './bank.server.ts'

/** This morning's bank lines: one quotes its invoice, one has an unknown payer and one is a payment out. */
const bankPart: DemoPart = {
  name: 'bank',
  needs: ['invoices'],
  tell: async (engine) => {
    const day = londonDate(engine.clock.now()).toString()
    await seedAs(engine, { clientId: PROVIDER, username: 'manager' }, async (c) => {
      const [owed] = await c.find(invoice, { state: 'open', currency: 'GBP' })
      const lines = [
        ...(owed
          ? [{ day, amount: owed.amountDue, reference: `${owed.number} WITH THANKS`, payer: owed.company }]
          : []),
        { day, amount: 4250, reference: 'SAFETY FOLDERS', payer: 'J HARGREAVES' },
        { day, amount: -96_000, reference: 'RENT', payer: 'WHARF ESTATES' },
      ]
      await importStatement(c, 'Statement.csv', 'GBP', { lines, problems: [] })
    })
  },
}

export const seeds = [bankPart]
