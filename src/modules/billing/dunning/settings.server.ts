import { problem, type Violation, violation } from '#kernel/errors.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import type { Reference } from '#server/engine/world.ts'
import { type DunningRuleValues, parseDayList } from './plan.ts'
import { dunningSettings } from './settings.ts'

const USUAL: DunningRuleValues = {
  automatic: true,
  remindAll: false,
  retryDays: [3, 5, 7, 14],
  reminderDays: [-3, 1, 7, 14],
  lapseDays: 14,
  finalDays: 30,
  final: 'keep',
}

/** Returns the dunning rules of this client. */
export async function loadDunningRules(c: Pick<Context, 'find'>): Promise<DunningRuleValues> {
  const [row] = await c.find(dunningSettings, {})
  return row
    ? { ...row, retryDays: parseDayList(row.retryDays ?? ''), reminderDays: parseDayList(row.reminderDays ?? '') }
    : USUAL
}

/** Normalises a day list, or returns what is wrong with it. */
function readDays(name: string, words: string, least: number, most: number, count: number): string | Violation {
  if (!/^(\s*-?\d{1,3}\s*(,|$))*$/.test(words))
    return violation(name, 'Please enter whole numbers of days, separated by commas')
  const days = parseDayList(words)
  if (days.some((day) => day < least || day > most)) return violation(name, `Days must be from ${least} to ${most}`)
  if (days.length > count) return violation(name, `Enter at most ${count} days`)
  return days.join(', ')
}

export const dunningSettingsBehaviour = behaviour(dunningSettings, {
  beforeSave: ({ changes }) => {
    const read = {
      retryDays: changes.retryDays == null ? undefined : readDays('retryDays', changes.retryDays, 1, 60, 4),
      reminderDays:
        changes.reminderDays == null ? undefined : readDays('reminderDays', changes.reminderDays, -30, 365, 8),
    }
    const wrong = Object.values(read).filter((one) => typeof one === 'object')
    if (wrong.length) throw problem.invalid(wrong)
    return Object.fromEntries(Object.entries(read).filter(([, days]) => typeof days === 'string'))
  },
})

/** Default rules of the provider. */
export const dunningReference: Reference = {
  name: 'dunning',
  needs: ['provider'],
  edition: 1,
  load: async (c) => {
    const [settled] = await c.find(dunningSettings, {})
    if (!settled) await c.withoutPermissionCheck('add the default reminder settings').create(dunningSettings, {})
  },
}
