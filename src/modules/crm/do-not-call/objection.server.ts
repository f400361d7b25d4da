import { problem, violation } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { toE164 } from '#kernel/text/phone.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { doNotCallNumber } from './do-not-call.ts'

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
  liftedBy: author(c.actor).username,
  liftedReason,
})

export const doNotCallBehaviour = behaviour(doNotCallNumber, {
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
