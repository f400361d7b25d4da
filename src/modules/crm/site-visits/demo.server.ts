import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE } from '#kernel/time.ts'
import { firstWorkingDayFrom } from '#kernel/working-days.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { siteVisit } from './site-visit.ts'

interface DemoSiteVisit {
  readonly account: number
  readonly purpose: string
  /** Days from today, moved to a working day, and the hour in London. */
  readonly days: number
  readonly hour: number
  readonly place: string
  readonly contactName: string
  readonly report?: string
}

const VISITS: readonly DemoSiteVisit[] = [
  {
    account: 1,
    purpose: 'Yearly audit of the site at Kelham Works',
    days: -12,
    hour: 10,
    place: 'Kelham Works, Sheffield',
    contactName: 'Priya Shah',
    report:
      'Guards and edge protection are in place. Two ladders had no tags and were taken out of use on the day. The induction board is out of date and will be renewed this week.',
  },
  {
    account: 1,
    purpose: 'Follow-up on the induction board',
    days: 3,
    hour: 9,
    place: 'Kelham Works, Sheffield',
    contactName: 'Priya Shah',
  },
  {
    account: 2,
    purpose: 'Moving and handling: assessment with the new hoists',
    days: 3,
    hour: 13,
    place: 'Willow Court, Bath',
    contactName: 'Joanna Hughes',
  },
  {
    account: 3,
    purpose: 'COSHH review of the cleaning store',
    days: 8,
    hour: 11,
    place: 'Saltmarsh Foods, Ipswich',
    contactName: 'Tomasz Nowak',
  },
]

/** Demo data for a consultant's diary: one past visit with a report, and three planned visits. */
const siteVisitsDemoPart: DemoDataPart = {
  name: 'site visits',
  needs: ['staff'],
  tell: async (engine) => {
    const now = engine.clock.now()
    for (const { account, days, hour, report, ...told } of VISITS) {
      const day = firstWorkingDayFrom(now.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate().add({ days }))
      const startsAt = day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: { hour } }).toInstant()
      const at = report ? startsAt.add({ hours: 4 }) : now
      await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager', at }, async (c) => {
        const made = await c.create(siteVisit, { ...told, account, startsAt: startsAt.toString(), minutes: 120 })
        if (report) await c.act(siteVisit, 'finish', (await made.saved()).id, { report, send: 'no' })
      })
    }
  },
}

export const seeds = [siteVisitsDemoPart]
