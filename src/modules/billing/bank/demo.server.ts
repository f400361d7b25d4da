import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { invoice } from '../invoices/invoice.ts'
import { importBankStatement } from './import.server.ts'

/** This morning's bank lines: one quotes an invoice number, one has an unknown payer and one is a payment out. */
const bankPart: DemoDataPart = {
  name: 'bank',
  needs: ['invoices'],
  tell: async (engine) => {
    const day = londonDate(engine.clock.now()).toString()
    await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, async (c) => {
      const [owed] = await c.find(invoice, { state: 'open', currency: 'GBP' })
      const lines = [
        ...(owed
          ? [{ day, amount: owed.amountDue, reference: `${owed.number} WITH THANKS`, payer: owed.company }]
          : []),
        { day, amount: 4250, reference: 'SAFETY FOLDERS', payer: 'J HARGREAVES' },
        { day, amount: -96_000, reference: 'RENT', payer: 'WHARF ESTATES' },
      ]
      await importBankStatement(c, 'Statement.csv', 'GBP', { lines, problems: [] })
    })
  },
}

export const seeds = [bankPart]
