import { problem, violation } from '#kernel/errors.ts'
import { decimal } from '#kernel/fields.ts'
import { londonDate } from '#kernel/time.ts'
import { firstQueryValue } from '#server/data/filters.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { employee } from '../employees/employee.ts'
import { employmentProblem, refuseOwnLeave } from '../employees/own-leave.server.ts'
import { readPatterns } from '../leave/history.server.ts'
import { dayViolations } from '../leave-rules/day-limits.ts'
import { workingMinutesOn } from '../leave-rules/work-pattern.ts'
import { HR_ROLES } from '../rights.ts'
import { fitNoteBehaviour, fitNoteRoutes } from './fit-note.server.ts'
import { fitNote } from './fit-note.ts'
import { type SickPayRate, statutorySickPay } from './sick-pay.ts'
import { sicknessAbsence } from './sickness.ts'
import { sicknessChanged, sicknessTrigger } from './sickness-trigger.ts'
import { triggerHandlers, triggerNotification, triggerSchedules } from './triggers.server.ts'

/** Weekly earnings that nobody has. */
const MAX_EARNINGS = 1_000_000

const DAY_FIELDS = ['firstDay', 'lastDay'] as const
/** Fields by whose change an employee's sickness is compared with the limits again. */
const CHANGES_OF_SPELLS = [...DAY_FIELDS, 'protected', 'retired'] as const
/** Fields that only human resources set. */
const HR_FIELDS = ['selfCertifiedOn', 'fitNoteUntil', 'fitNoteSeenOn', 'returnedOn'] as const

const sicknessBehaviour = behaviour(sicknessAbsence, {
  beforeSave: async (c) => {
    const { employee: of, firstDay, lastDay, fitNoteUntil, fitNoteSeenOn, retired } = c.values
    if (!of || !firstDay) return undefined
    const today = londonDate(c.now).toString()
    const wrong = [
      ...dayViolations(Object.fromEntries([...DAY_FIELDS, ...HR_FIELDS].map((name) => [name, c.changes[name]])), today),
      ...(firstDay > today ? [violation('firstDay', 'Sickness is recorded from its first day on')] : []),
      ...(lastDay && lastDay < firstDay ? [violation('lastDay', 'The last day is before the first')] : []),
      ...(Boolean(fitNoteUntil) === Boolean(fitNoteSeenOn)
        ? []
        : [violation(fitNoteUntil ? 'fitNoteSeenOn' : 'fitNoteUntil', 'Please enter both days of the fit note')]),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    const isOfHr = c.before || HR_FIELDS.some((name) => c.changes[name])
    if (isOfHr) await refuseOwnLeave(c, of, c.before?.employee)
    const person = await c.lock(employee, of, 'values')
    const areDaysNew = !c.before || DAY_FIELDS.some((name) => c.changes[name])
    const outside = areDaysNew && !retired && employmentProblem(person, firstDay, lastDay ?? firstDay)
    if (outside) throw problem.conflict(outside)
    const others = retired ? [] : await c.find(sicknessAbsence, { employee: of, retired: false })
    const overlaps = others.some(
      (one) => one.id !== c.before?.id && one.firstDay <= (lastDay ?? '9999') && firstDay <= (one.lastDay ?? '9999'),
    )
    if (overlaps) throw problem.conflict('This employee already has an absence on these days.')
    return c.before ? undefined : { createdAt: c.now.toString() }
  },
  afterSave: async (c) => {
    const { id } = await c.written.saved()
    if (!c.before || CHANGES_OF_SPELLS.some((name) => c.changes[name] !== undefined))
      await c.emit(sicknessChanged, { absence: id })
  },
})

const { rates }: { readonly rates: readonly SickPayRate[] } = readReferenceFile('statutory-leave-and-pay.json')

/** Statutory sick pay of an absence by the rates of its days. The earnings are not stored. */
const sickPayRoute: Route = {
  method: 'GET',
  path: `${sicknessAbsence.url}/{id}/sick_pay`,
  title: 'Calculate the statutory sick pay of an absence, for information',
  allow: HR_ROLES,
  query: { weeklyEarnings: decimal({ help: 'Average weekly earnings in pounds. They are not stored.' }) },
  handle: async (c) => {
    const { clientId } = c.me
    const id = await c.engine.idOf(sicknessAbsence, c.actor, c.params.id)
    const { firstDay, lastDay, employee: of } = await c.engine.oneAsListed(sicknessAbsence, c.me, id)
    const earnings = Number(firstQueryValue(c.query.weeklyEarnings) || Number.NaN)
    if (!(earnings >= 0 && earnings < MAX_EARNINGS))
      throw problem.badRequest('Please state "weeklyEarnings" in pounds.')
    const patterns = await c.engine.readIn(clientId, 'working days of an absence', (read) =>
      readPatterns(read, [of.id]),
    )
    const own = patterns.get(of.id) ?? []
    const until = lastDay ?? londonDate(c.now).toString()
    const pay = statutorySickPay({ firstDay, lastDay: until }, earnings, (day) => workingMinutesOn(own, day) > 0, rates)
    return { '@id': `${sicknessAbsence.url}/${id}/sick_pay`, '@type': 'SickPay', pay: pay ?? null }
  },
}

export const sickness = feature({
  pack: 'holidays',
  seeds: () => import('./demo.server.ts'),
  resources: [sicknessAbsence, fitNote, sicknessTrigger],
  behaviours: [sicknessBehaviour, fitNoteBehaviour],
  routes: [sickPayRoute, ...fitNoteRoutes],
  notifications: [triggerNotification],
  handlers: triggerHandlers,
  schedules: triggerSchedules,
})
