import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { documentOpening } from '../access-log/document-opening.ts'
import { document } from '../types/document.ts'
import { adviceRequest } from './advice-request.ts'

const BRICK = 1

/** Demo data: two questions to the consultant, one answered and one open. */
const adviceDemoPart: DemoDataPart = {
  name: 'advice',
  needs: ['safety'],
  tell: async (engine) => {
    const at = (days: number) => engine.clock.now().subtract({ hours: 24 * days })
    const admin = (days: number) => ({ clientId: BRICK, username: 'admin.brick', at: at(days) })
    const papers = await seedAsUser(engine, { clientId: BRICK }, (c) =>
      c.find(document, { client: BRICK, state: 'current', retired: false }),
    )
    const [first, second] = [
      papers.find((d) => d.kind === 'risk_assessment'),
      papers.find((d) => d.kind === 'method_statement'),
    ]
    if (!first || !second) return
    const asked = await seedAsUser(engine, admin(5), async (c) =>
      (
        await c.create(adviceRequest, {
          document: first.id,
          question: 'We now work at night on this site. Does that change the rating for lone working?',
        })
      ).saved(),
    )
    await seedAsUser(engine, { clientId: BRICK, at: at(4) }, async (c) => {
      const right = c.withoutPermissionCheck('answer as a consultant of the provider')
      await right.create(documentOpening, {
        document: first.id,
        username: 'manager',
        name: 'Maya Campbell',
        openedAt: c.now.toString(),
      })
      const row = await right.lock(adviceRequest, asked.id)
      const answer =
        'Yes: add a hazard for lone working at night, with an hourly check-in, and ask the night shift to sign the new revision.'
      const who = { consultant: 'manager', consultantName: 'Maya Campbell' }
      await right.set(adviceRequest, row, { ...who, answer, answeredAt: c.now.toString(), state: 'answered' }, 'answer')
    })
    await seedAsUser(engine, admin(1), (c) =>
      c.create(adviceRequest, {
        document: second.id,
        question: 'Do we need a second banksman when the crane works beside the road?',
      }),
    )
  },
}

export const seeds = [adviceDemoPart]
