import { problem, violation } from '#kernel/errors.ts'
import { authorOf } from '#kernel/roles.ts'
import { toE164 } from '#kernel/text/phone.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { contact } from '../contacts/contact.ts'
import { callSettings, doNotCallNumber, screenedNumber, screening } from './do-not-call.ts'
import { screeningBehaviour, screeningJob } from './screening.server.ts'

const IN_FORCE = 'in force'

/** Numbers of a lead and its contact people, in E.164 format. */
async function numbersOf(c: Context, lead: number): Promise<string[]> {
  await c.work.flush()
  const [found] = await c.work.tx.rows<{ numbers: string[] | null }>('SELECT lead_numbers($1, $2) AS numbers', [
    c.clientId,
    lead,
  ])
  return found?.numbers ?? []
}

/** Whether any number of a lead is on the do-not-call list. */
export async function isDoNotCallLead(c: Context, lead: number): Promise<boolean> {
  const numbers = await numbersOf(c, lead)
  return numbers.length > 0 && c.exists(doNotCallNumber, { number: numbers, state: IN_FORCE })
}

const lifted = (c: Context, liftedReason: string) => ({
  liftedAt: c.now.toString(),
  liftedBy: authorOf(c.actor).username,
  liftedReason,
})

const doNotCallBehaviour = behaviour(doNotCallNumber, {
  beforeSave: async (c) => {
    if (c.before) return undefined
    const number = toE164(c.values.number)
    if (!number)
      throw problem.invalid([
        violation('number', 'Please enter a complete telephone number, with area code or country code'),
      ])
    if (await c.exists(doNotCallNumber, { number, source: c.values.source ?? 'objection', state: IN_FORCE }))
      throw problem.invalid([violation('number', 'This number is already on the list', 'duplicate')])
    return { number }
  },
  actions: {
    lift: (c) => ({ set: lifted(c, c.input.reason) }),
  },
})

/**
 * Reason why a number must be screened before it is called; `undefined` if it may be called. The registers cover
 * numbers in the United Kingdom. A registration takes effect after 28 days (SI 2003/2426, regulation 21(3)), so a
 * screening is valid for 28 days and the number is locked from the day after. Days in London.
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
