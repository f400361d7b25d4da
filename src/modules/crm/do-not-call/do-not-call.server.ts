import { toE164 } from '#kernel/text/phone.ts'
import { londonDate } from '#kernel/time.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { contact } from '../contacts/contact.ts'
import { callSettings, doNotCallNumber, screenedNumber, screening } from './do-not-call.ts'

import { doNotCallBehaviour } from './objection.server.ts'
import { screeningBehaviour, screeningJob } from './screening.server.ts'

/**
 * Reason why a number must be screened before it is called; `undefined` if it may be called. The registers cover
 * numbers in the United Kingdom. A registration takes effect after 28 days (SI 2003/2426, regulation 21(3)), so a
 * screening is valid for as long and the number is locked from the day after. Days in London.
 */
function numberLockReason(
  number: string,
  screenedOn: string | undefined,
  days: number,
  today: Temporal.PlainDate,
): string | undefined {
  if (!number.startsWith('+44')) return undefined
  if (!screenedOn) return 'This number has never been screened against the TPS and CTPS'
  const ago = Temporal.PlainDate.from(screenedOn).until(today, { largestUnit: 'days' }).days
  return ago > days ? `This number was last screened ${ago} days ago` : undefined
}

/** Numbers of a lead that are locked because they were not screened recently. Empty if the provider does not screen. */
const lockedNumbersRoute: Route = {
  method: 'GET',
  path: `${contact.url}/{id}/locked-numbers`,
  title: 'Get the numbers of a lead that must be screened before they are called',
  allow: 'ROLE_STAFF',
  handle: async (c) => {
    const id = await c.engine.idOf(contact, c.actor, c.params.id)
    const lead = await c.engine.one(contact, c.actor, id)
    const found = await c.engine.readIn(
      c.me.clientId,
      'staff need to know which numbers they may call',
      async (unit) => {
        const [settings] = await unit.find(callSettings, {})
        if (!settings?.screens) return []
        const typed = [lead.phone, lead.mobile].filter((n): n is string => !!n)
        const screened = await unit.find(screenedNumber, { number: typed.map(toE164).filter(Boolean) })
        const on = new Map(screened.map((s) => [s.number, s.screenedOn]))
        return typed.flatMap((number) => {
          const key = toE164(number)
          const why = numberLockReason(key, on.get(key), settings.screeningDays, londonDate(c.now))
          return why ? [{ number, why }] : []
        })
      },
    )
    return { locked: found }
  },
}

export const doNotCall = feature({
  resources: [doNotCallNumber, screening, screenedNumber, callSettings],
  behaviours: [doNotCallBehaviour, screeningBehaviour],
  routes: [lockedNumbersRoute],
  batchJobs: [screeningJob],
})
