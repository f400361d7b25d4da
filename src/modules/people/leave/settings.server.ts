import { problem, type Violation, violation } from '#kernel/errors.ts'
import { isPlainObject } from '#kernel/forms/rows.ts'
import { isCalendarDate, londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { periodViolations } from '../leave-rules/day-limits.ts'
import { leaveRulesChanged } from './events.ts'
import { leaveBlackout } from './leave-blackout.ts'
import { leaveEntry } from './leave-entry.ts'
import { leaveSettings, MAX_ADDITIONAL_DAYS } from './leave-settings.ts'

const MAX_SERVICE_YEARS = 60
/** A year without 29 February. */
const COMMON_YEAR = 2001

const isStep = (step: unknown): boolean =>
  isPlainObject(step) &&
  Number.isInteger(step.years) &&
  Number(step.years) >= 1 &&
  Number(step.years) <= MAX_SERVICE_YEARS &&
  typeof step.days === 'number' &&
  step.days >= 0 &&
  step.days <= MAX_ADDITIONAL_DAYS

function settingsViolations({
  yearStartsOn,
  serviceSteps,
}: {
  yearStartsOn?: string
  serviceSteps?: unknown
}): Violation[] {
  const isDay = yearStartsOn === undefined || isCalendarDate(`${COMMON_YEAR}-${yearStartsOn}`)
  const areSteps = serviceSteps === undefined || (Array.isArray(serviceSteps) && serviceSteps.every(isStep))
  return [
    ...(isDay ? [] : [violation('yearStartsOn', 'This day is not in every year')]),
    ...(areSteps ? [] : [violation('serviceSteps', 'Please enter years of service and further days for each step')]),
  ]
}

const settingsBehaviour = behaviour(leaveSettings, {
  beforeSave: async (c) => {
    const { changes } = c
    const wrong = settingsViolations(changes)
    if (wrong.length) throw problem.invalid(wrong)
    if (changes.yearStartsOn !== undefined && (await c.exists(leaveEntry, { entered: true })))
      throw problem.conflict(
        'Rows that people entered belong to the leave years of today. The first day stays.',
        'in_use',
      )
    return undefined
  },
  afterSave: async (c) => {
    await c.emit(leaveRulesChanged, {})
  },
})

const blackoutBehaviour = behaviour(leaveBlackout, {
  beforeSave: async (c) => {
    const { firstDay, lastDay } = c.values
    const isChanged = c.changes.firstDay !== undefined || c.changes.lastDay !== undefined
    const wrong =
      isChanged && firstDay && lastDay ? periodViolations(firstDay, lastDay, londonDate(c.now).toString()) : []
    if (wrong.length) throw problem.invalid(wrong)
    return undefined
  },
})

export const settingsBehaviours = [settingsBehaviour, blackoutBehaviour]
