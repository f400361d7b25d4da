import { problem, type Violation, violation } from '#kernel/errors.ts'
import { iriOf, type ValuesOf } from '#kernel/resource.ts'
import { londonDate } from '#kernel/time.ts'
import { areStoredValuesEqual } from '#server/data/difference.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { feature } from '#server/engine/module.ts'
import { loadLatestRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { trainingCourse, trainingCourseTemplate, trainingDuty, trainingRequirement } from './course.ts'

interface CourseRow {
  readonly name: string
  readonly code: string
  readonly category: string
  readonly duration: string
  readonly validityMonths: number | null
}

interface DutyRow {
  readonly duty: string
  readonly who: string
  readonly reference: string
  readonly refreshMonths: number | null
  readonly courses: string
  readonly confidence: string
  readonly note: string
}

const trainingReference: ReferenceData = {
  name: 'training courses and duties',
  needs: [],
  edition: 1,
  load: async (c) => {
    const { courses } = readReferenceFile('training-courses.json') as { readonly courses: readonly CourseRow[] }
    const { duties } = readReferenceFile('training-duties.json') as { readonly duties: readonly DutyRow[] }
    const templates = courses.map(({ name, code, category, duration, validityMonths }) => ({
      name,
      code,
      category,
      duration,
      validityMonths,
    }))
    await loadLatestRows(c, trainingCourseTemplate, 'name', templates)
    const rows = duties.map(({ duty, who, ...rest }) => ({
      name: duty,
      people: who,
      reference: rest.reference,
      refreshMonths: rest.refreshMonths,
      courses: rest.courses,
      confidence: rest.confidence,
      notes: rest.note,
    }))
    await loadLatestRows(c, trainingDuty, 'name', rows)
  },
}

/** Fields that a course copies from its template unless they are sent. */
const COPIED = ['name', 'code', 'category', 'duration', 'validityMonths'] as const

type Course = ValuesOf<typeof trainingCourse>

/** Returns the violations of a course's validity: by months or by a fixed day of each year, never by both. */
function validityViolations({ validityMonths, retakeMonth, retakeDay, retakeGraceDays }: Course): Violation[] {
  if (!retakeMonth)
    return [
      ...(retakeDay ? [violation('retakeMonth', 'Please choose the month of this day', 'required')] : []),
      ...(retakeGraceDays ? [violation('retakeGraceDays', 'These days belong to a fixed day of each year')] : []),
    ]
  // 2024 has a 29 February
  const { daysInMonth } = Temporal.PlainYearMonth.from(`2024-${retakeMonth}`)
  return [
    ...(validityMonths ? [violation('retakeMonth', 'Choose either months or a fixed day of each year')] : []),
    ...(retakeDay && retakeDay > daysInMonth ? [violation('retakeDay', 'This month has no such day')] : []),
  ]
}

const courseBehaviour = behaviour(trainingCourse, {
  beforeSave: async (c) => {
    const { before, sent, values } = c
    if (before && c.changes.template !== undefined)
      throw problem.conflict('A course is copied once. Later editions of the template leave it as it is.')
    if (before && c.changes.retired) {
      const today = londonDate(c.now).toString()
      const inForce = (await c.find(trainingRequirement, { course: before.id })).some(
        ({ endsOn }) => endsOn === null || endsOn > today,
      )
      if (inForce) throw problem.conflict('People need this course. End its requirements first.')
    }
    const wrong = validityViolations(values)
    if (wrong.length) throw problem.invalid(wrong)
    if (before || !values.template) return undefined
    const template = await c.get(trainingCourseTemplate, values.template)
    if (!template) throw problem.unknownTarget(iriOf(trainingCourseTemplate, values.template))
    const missing = COPIED.filter((name) => !sent.includes(name) && !(name === 'validityMonths' && values.retakeMonth))
    return Object.fromEntries(missing.map((name) => [name, template[name]]))
  },
})

/** Field that names who needs the course, by scope. */
const FIELD_OF_SCOPE = {
  jobTitle: { name: 'jobtitlename', missing: 'Please enter a job title' },
  department: { name: 'department', missing: 'Please choose a department' },
  site: { name: 'site', missing: 'Please choose a site' },
  person: { name: 'employee', missing: 'Please choose a person' },
} as const

/** Returns the violations of a requirement: each scope needs its own field, and no other. */
function requirementViolations(values: ValuesOf<typeof trainingRequirement>): Violation[] {
  const wrong = Object.entries(FIELD_OF_SCOPE).flatMap(([scope, { name, missing }]) => {
    const isGiven = Boolean(values[name])
    if (scope === values.scope) return isGiven ? [] : [violation(name, missing, 'required')]
    return isGiven ? [violation(name, 'This does not belong to the chosen kind of requirement')] : []
  })
  const { startsOn, endsOn, reason, duty } = values
  return [
    ...wrong,
    ...(endsOn && startsOn && endsOn < startsOn ? [violation('endsOn', 'The last day is before the first')] : []),
    ...(duty && reason !== 'duty' ? [violation('duty', 'A duty belongs to the reason “Duty by law”')] : []),
    ...(reason === 'duty' && !duty ? [violation('duty', 'Please choose the duty', 'required')] : []),
  ]
}

const requirementBehaviour = behaviour(trainingRequirement, {
  beforeSave: async (c) => {
    const { before, changes, values } = c
    const wrong = requirementViolations(values)
    if (wrong.length) throw problem.invalid(wrong)
    const today = londonDate(c.now).toString()
    if (!before) {
      const course = await c.get(trainingCourse, values.course ?? 0)
      if (course?.retired) throw problem.invalid([violation('course', 'This course is retired')])
      return { createdAt: c.now.toString() }
    }
    const changed = Object.entries(changes).filter(
      ([name, value]) => !areStoredValuesEqual(before[name as 'scope'], value),
    )
    if (changed.some(([name]) => name !== 'endsOn'))
      throw problem.conflict(
        'A requirement does not change, so that past days stay as they were. End it and add another.',
      )
    if (before.endsOn && before.endsOn < today) throw problem.conflict('This requirement has ended. Add another one.')
    if (changes.endsOn && changes.endsOn < today && before.startsOn <= today)
      throw problem.invalid([violation('endsOn', 'The last day is today at the earliest')])
    return undefined
  },
})

export const courses = feature({
  resources: [trainingCourseTemplate, trainingDuty, trainingCourse, trainingRequirement],
  behaviours: [courseBehaviour, requirementBehaviour],
  referenceData: [trainingReference],
})
