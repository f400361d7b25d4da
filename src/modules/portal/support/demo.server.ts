import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { alertRule } from '../alerts/alert-rule.ts'
import { alertBanner } from '../banners/banner.ts'
import { supportTicket } from './ticket.ts'

const [INFO, BRICK, CARE] = [17, 1, 2]

/** Seeds a banner, support tickets and default notifications. */
const supportPart: DemoDataPart = {
  name: 'support',
  needs: ['people'],
  tell: async (engine) => {
    const now = engine.clock.now()
    const at = (days: number) => now.subtract({ hours: 24 * days })
    const from = londonDate(now).add({ days: 14 })
    await seedAsUser(engine, { clientId: 0, username: 'manager' }, (c) =>
      c.change(alertBanner, INFO, {
        title: 'Support is closed on the bank holiday',
        message:
          'We will be back on the next working day, and will first answer the questions sent while we were closed.',
        linkTo: '/help',
        linkWords: 'Contact support',
        from: from.toString(),
        until: from.add({ days: 3 }).toString(),
        shown: true,
      }),
    )
    const asked = await seedAsUser(engine, { clientId: BRICK, username: 'admin.brick', at: at(9) }, async (c) =>
      (
        await c.create(supportTicket, {
          subject: 'A new foreman needs an account',
          message: 'How do I let our new foreman write toolbox talks, and nothing else?',
          email: 'office@brick-beam-construction.example',
          page: '/config/users',
        })
      ).saved(),
    )
    await seedAsUser(engine, { clientId: BRICK, at: at(8) }, async (c) => {
      const right = c.withoutPermissionCheck('save an answer from support')
      const answer =
        'Go to Settings > Users, choose “New user” and tick “Safety author”. The foreman will have no access to your accounts.'
      const row = await right.lock(supportTicket, asked.id)
      await right.set(supportTicket, row, { answer, answeredBy: 'staff', state: 'closed' }, 'answer')
    })
    await seedAsUser(engine, { clientId: CARE, username: 'admin.care', at: at(1) }, (c) =>
      c.create(supportTicket, {
        subject: 'Signatures on a shared tablet',
        message: 'Our night staff share one tablet. Can each of them sign with their own name?',
        email: 'office@willow-court-care-homes.example',
        page: '/safety/toolbox-talks/presented',
      }),
    )
    await seedAsUser(engine, { clientId: BRICK, username: 'admin.brick', at: at(20) }, (c) =>
      c.create(alertRule, { kind: 'document.sign', bell: true, daily: true }),
    )
  },
}

export const seeds = [supportPart]
