import { problem, violation } from '#kernel/errors.ts'
import { formatIsoDateAsUk, londonDate } from '#kernel/time.ts'
import { type BeforeSaveInput, behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { equipmentCategory } from './category.ts'
import { requiredCheck } from './check.ts'
import { dayAfterInterval, describeInterval, isWithinLaw } from './intervals.ts'
import { equipmentFile } from './item.ts'

type Save = Context & BeforeSaveInput<typeof requiredCheck>

/** Fields that can't be changed, so that past checks remain checks of the same kind. */
const FIXED = ['item', 'category'] as const

/** Throws 422 if the interval, or the wait for the first check, is longer than the law allows without a scheme. */
async function refuseLongInterval(c: Save): Promise<void> {
  const { category: id, every = 0, unit = 'months', scheme, startsOn = '' } = c.values
  const category = id ? await c.get(equipmentCategory, id) : undefined
  if (category?.basis !== 'law' || scheme) return
  if (category.intervalMonths === null && category.intervalDays === null) return
  const legal = {
    every: category.intervalMonths ?? category.intervalDays ?? 0,
    unit: category.intervalMonths === null ? 'days' : 'months',
  }
  const law = `${describeInterval(legal).toLowerCase()} (${category.reference})`
  if (!isWithinLaw({ every, unit }, category))
    throw problem.invalid([
      violation('every', `The law requires it ${law}. For a longer interval, attach the examination scheme.`),
    ])
  const added = c.before ? londonDate(Temporal.Instant.from(c.before.createdAt)) : londonDate(c.now)
  const latest = dayAfterInterval(added.toString(), legal) ?? ''
  if (startsOn > latest)
    throw problem.invalid([
      violation('startsOn', `The law requires it ${law}, so the first is due by ${formatIsoDateAsUk(latest)}.`),
    ])
}

async function refuseForeignScheme(c: Save): Promise<void> {
  const { scheme: id, item } = c.values
  const scheme = id ? await c.get(equipmentFile, id) : undefined
  if (scheme && scheme.item !== item) throw problem.invalid([violation('scheme', 'This file belongs to another item')])
}

export const requiredCheckBehaviour = behaviour(requiredCheck, {
  beforeSave: async (c) => {
    const { before, values } = c
    if (before && FIXED.some((name) => before[name] !== (values[name] ?? null)))
      throw problem.conflict('Item and category of a check stay. End this check and add another.')
    if (values.unit === 'hours' && values.counted === 'calendar')
      throw problem.invalid([violation('counted', 'Hours of use are counted from the last check')])
    if (before && !before.retired && values.retired && before.state === 'out of service')
      throw problem.conflict('The last check failed. Only a passed check returns the item to service.')
    await refuseLongInterval(c)
    await refuseForeignScheme(c)
    const category = values.category ? await c.get(equipmentCategory, values.category) : undefined
    const name = values.name?.trim() || category?.checkName
    if (!name) throw problem.invalid([violation('name', 'Please enter the name of the check', 'required')])
    return before ? { name } : { name, createdAt: c.now.toString() }
  },
})

/** Adds the usual check of a new item’s category, due today: the item has no recorded check yet. */
export async function addUsualCheck(c: Context, item: number, categoryId: number): Promise<void> {
  const category = await c.get(equipmentCategory, categoryId)
  const every = category?.intervalMonths ?? category?.intervalDays
  if (!category || !every) return
  await c.create(requiredCheck, {
    item,
    category: category.id,
    every,
    unit: category.intervalMonths === null ? 'days' : 'months',
    startsOn: londonDate(c.now).toString(),
  })
}
