import { problem, type Violation, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { createLinkSecret } from '#server/auth/secret.ts'
import { issueSequenceNumber } from '#server/data/sequences.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { equipmentCheck } from './check.ts'
import { equipmentEvent, equipmentItem, equipmentNumberSequence } from './item.ts'
import { addUsualCheck } from './required-check.server.ts'

type Save = Context & BeforeSaveInput<typeof equipmentItem>

/** Most levels of items that are part of one another. */
const MAX_LEVELS = 5

/** Returns the next number that no item of the company has yet: a company may have entered such a number itself. */
async function nextNumber(c: Context): Promise<string> {
  for (;;) {
    const { text } = await issueSequenceNumber(c, equipmentNumberSequence)
    if (!(await c.exists(equipmentItem, { number: text }))) return text
  }
}

/** Throws 422 if an item would be part of itself, or of too many others. */
async function refuseCircle(c: Save): Promise<void> {
  let above = c.values.parent
  for (let level = 1; above; level++) {
    if (above === c.before?.id) throw problem.invalid([violation('parent', 'An item can’t be part of itself')])
    if (level > MAX_LEVELS)
      throw problem.invalid([violation('parent', `Items are part of one another over ${MAX_LEVELS} levels at most`)])
    above = (await c.get(equipmentItem, above))?.parent
  }
}

/** Returns the violations of dates and hours. */
async function itemViolations(c: Save): Promise<Violation[]> {
  const { before, values } = c
  const { purchasedOn, hiredFrom, hiredUntil, hoursUsed } = values
  const isTooLate = Boolean(purchasedOn) && (purchasedOn ?? '') > londonDate(c.now).toString()
  const checks = before && purchasedOn !== before.purchasedOn ? await c.find(equipmentCheck, { item: before.id }) : []
  return [
    ...(isTooLate ? [violation('purchasedOn', 'The purchase has not taken place yet')] : []),
    ...(purchasedOn && checks.some(({ checkedOn }) => checkedOn < purchasedOn)
      ? [violation('purchasedOn', 'The item was checked before this day')]
      : []),
    ...(hiredUntil && !hiredFrom ? [violation('hiredFrom', 'Please enter the first day', 'required')] : []),
    ...(hiredUntil && hiredFrom && hiredUntil < hiredFrom
      ? [violation('hiredUntil', 'The last day is before the first')]
      : []),
    ...((before?.hoursUsed ?? 0) > (hoursUsed ?? 0)
      ? [violation('hoursUsed', `The hours of use are ${before?.hoursUsed} already`)]
      : []),
  ]
}

/** Throws 409 if the item changes hands without a hand-over. */
function refuseOtherHands({ before, values }: Save): void {
  if (before && (before.site !== (values.site ?? null) || before.holder !== (values.holder ?? null)))
    throw problem.conflict('Site and holder change only by a hand-over, which is signed.')
}

const logEquipmentEvent = (c: Context, item: number, event: string, notes = '') =>
  c
    .withoutPermissionCheck('record the history of an item')
    .create(equipmentEvent, { item, event, notes, createdAt: c.now.toString() })

function refuseOutOfService({ number, fitness }: { readonly number: string; readonly fitness: string }): void {
  if (fitness === 'out of service')
    throw problem.conflict(`${number} is out of service. Only a passed check returns it to service.`)
}

export const itemBehaviour = behaviour(equipmentItem, {
  beforeSave: async (c) => {
    const { before, values } = c
    refuseOtherHands(c)
    const wrong = await itemViolations(c)
    if (wrong.length) throw problem.invalid(wrong)
    await refuseCircle(c)
    const number = values.number?.trim() || before?.number || (await nextNumber(c))
    if (before) return { number }
    return {
      number,
      labelSecret: createLinkSecret(),
      createdAt: c.now.toString(),
      lifecycle: values.hiredFrom ? ('on hire' as const) : ('in use' as const),
    }
  },
  afterSave: async (c) => {
    const { id, category } = await c.written.saved()
    if (!c.before && category) await addUsualCheck(c, id, category)
  },
  actions: {
    putInUse: async (c) => {
      refuseOutOfService(c.row)
      await logEquipmentEvent(c, c.row.id, 'In use')
      return {}
    },
    putInStore: async (c) => {
      await logEquipmentEvent(c, c.row.id, 'In store')
      return {}
    },
    hire: async (c) => {
      refuseOutOfService(c.row)
      const { hiredFrom, hiredUntil = null } = c.input
      if (hiredUntil && hiredUntil < hiredFrom)
        throw problem.invalid([violation('hiredUntil', 'The last day is before the first')])
      await logEquipmentEvent(c, c.row.id, 'On hire', hiredUntil ? `${hiredFrom} to ${hiredUntil}` : hiredFrom)
      return { set: { hiredFrom, hiredUntil } }
    },
    sell: async (c) => {
      await logEquipmentEvent(c, c.row.id, 'Sold', c.input.reason)
      return {}
    },
    scrap: async (c) => {
      await logEquipmentEvent(c, c.row.id, 'Scrapped', c.input.reason)
      return {}
    },
    takeBack: async (c) => {
      await logEquipmentEvent(c, c.row.id, 'Taken back', c.input.reason)
      return {}
    },
  },
})
