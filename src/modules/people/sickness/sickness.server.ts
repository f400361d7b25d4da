import { problem, violation } from '#kernel/errors.ts'
import { londonDate } from '#kernel/time.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { feature } from '#server/engine/module.ts'
import { employee } from '../employees/employee.ts'
import { sicknessAbsence } from './sickness.ts'

const sicknessBehaviour = behaviour(sicknessAbsence, {
  beforeSave: async (c) => {
    const { employee: of, firstDay, lastDay, fitNoteUntil, fitNoteSeenOn, retired } = c.values
    if (!of || !firstDay) return undefined
    const today = londonDate(c.now).toString()
    const wrong = [
      ...(firstDay > today ? [violation('firstDay', 'Sickness is recorded from its first day on')] : []),
      ...(lastDay && lastDay < firstDay ? [violation('lastDay', 'The last day is before the first')] : []),
      ...(Boolean(fitNoteUntil) === Boolean(fitNoteSeenOn)
        ? []
        : [violation(fitNoteUntil ? 'fitNoteSeenOn' : 'fitNoteUntil', 'Please enter both days of the fit note')]),
    ]
    if (wrong.length) throw problem.invalid(wrong)
    await c.lock(employee, of, 'values')
    const others = retired ? [] : await c.find(sicknessAbsence, { employee: of, retired: false })
    const overlaps = others.some(
      (one) => one.id !== c.before?.id && one.firstDay <= (lastDay ?? '9999') && firstDay <= (one.lastDay ?? '9999'),
    )
    if (overlaps) throw problem.conflict('This employee already has an absence on these days.')
    return c.before ? undefined : { createdAt: c.now.toString() }
  },
})

export const sickness = feature({
  pack: 'holidays',
  resources: [sicknessAbsence],
  behaviours: [sicknessBehaviour],
})
