import { PROVIDER } from '#kernel/roles.ts'
import { londonDate } from '#kernel/time.ts'
import { contact } from '#modules/crm/contacts/contact.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAs } from '#server/seed/story.ts'
import { marketingConsent } from './consent.ts'
import { dailyEmail } from './daily.ts'

const CONSENTS = 40

/** Leads that want news, and the next daily e-mails: one that is planned, one that is being written. */
export async function tellMarketing(engine: Engine): Promise<void> {
  const today = londonDate(engine.clock.now())
  await seedAs(engine, { clientId: PROVIDER, username: 'manager' }, async (c) => {
    const seen = new Set<string>()
    for (const { id, email } of await c.find(contact, { retired: false })) {
      const address = email?.trim().toLowerCase() ?? ''
      if (!address.includes('@') || seen.has(address)) continue
      seen.add(address)
      const givenOn = today.subtract({ days: 20 + seen.size }).toString()
      await c.create(marketingConsent, { address, contact: id, how: 'telephone', givenOn })
      if (seen.size >= CONSENTS) break
    }
    const planned = await c.create(dailyEmail, {
      day: today.add({ days: 7 }).toString(),
      subject: 'ISO 45001 in ten minutes',
      body: 'Hello {{first name|there}},\n\nwhat an auditor asks first, and where the answer already stands in your risk assessments.\n\nYour team at {{portal}}',
    })
    const { id } = await planned.saved()
    await c.act(dailyEmail, 'plan', id, {})
    await c.create(dailyEmail, {
      day: today.add({ days: 8 }).toString(),
      subject: 'ISO 9001: what has changed',
      body: 'Hello {{first name|there}},\n\nthe changes that matter to firms with fewer than fifty people.\n\nYour team at {{portal}}',
    })
  })
}
