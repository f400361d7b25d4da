import { londonDate } from '#kernel/time.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { trainingCourse, trainingCourseTemplate, trainingDuty, trainingRequirement } from './courses/course.ts'
import { trainingPlan } from './plan/plan.ts'
import { trainingRecord } from './records/record.ts'

interface DemoCourse {
  /** Name in the catalogue. */
  readonly name: string
  /** Cost in pence. */
  readonly cost?: number
  /** How many days ago people took the course: everybody who needs it, except those listed separately. */
  readonly completed?: number
}

const COURSES: readonly DemoCourse[] = [
  { name: 'Site or company induction', completed: 200 },
  { name: 'Health and Safety Awareness (site operatives)', cost: 14_500, completed: 700 },
  { name: 'Asbestos awareness (category A)', cost: 4500, completed: 290 },
  { name: 'Manual handling', cost: 6000, completed: 600 },
  { name: 'Fire awareness', cost: 2500, completed: 340 },
  { name: 'Work at height and harness use', cost: 12_000, completed: 500 },
  { name: 'Emergency first aid at work', cost: 9500, completed: 1010 },
  { name: 'Site Management Safety Training Scheme (SMSTS)', cost: 49_500, completed: 1500 },
  { name: 'CPCS plant operator card', cost: 65_000 },
]

/** Needs of the demo builders: course, job title or everybody, and number of the duty in the reference data. */
const NEEDS: readonly (readonly [course: string, jobtitlename: string, duty: number | null])[] = [
  ['Site or company induction', '', 1],
  ['Fire awareness', '', 3],
  ['Asbestos awareness (category A)', 'Bricklayer', 11],
  ['Asbestos awareness (category A)', 'Plasterer', 11],
  ['Asbestos awareness (category A)', 'Electrician', 11],
  ['Asbestos awareness (category A)', 'Plumber', 11],
  ['Health and Safety Awareness (site operatives)', 'Bricklayer', 17],
  ['Health and Safety Awareness (site operatives)', 'Labourer', 17],
  ['Manual handling', 'Bricklayer', 4],
  ['Manual handling', 'Labourer', 4],
  ['Manual handling', 'Groundworker', 4],
  ['Work at height and harness use', 'Roofer', 8],
  ['Emergency first aid at work', 'Site manager', 2],
  ['Site Management Safety Training Scheme (SMSTS)', 'Site manager', 17],
  ['CPCS plant operator card', 'Plant operator', null],
]

/** Training that differs from the others: person, course, and days ago; null if it never took place. */
const EXCEPTIONS: readonly (readonly [person: string, course: string, days: number | null])[] = [
  ['Callum Fraser', 'Asbestos awareness (category A)', 400],
  ['Gary Hollis', 'Manual handling', 1200],
  ['Tom Ashworth', 'Manual handling', null],
  ['Tom Ashworth', 'Health and Safety Awareness (site operatives)', null],
  ['Anton Petrov', 'Work at height and harness use', 1050],
  ['Joseph Okafor', 'Fire awareness', null],
  ['Megan Doyle', 'Asbestos awareness (category A)', null],
  ['Bethan Howells', 'Fire awareness', 380],
  ['Lorna Mackie', 'Site Management Safety Training Scheme (SMSTS)', 1850],
  ['Kofi Mensah', 'CPCS plant operator card', 1790],
]

/** First day of the needs, in days before today. */
const NEEDED_SINCE = 600
const GRACE_DAYS = 28

async function copyCourses(c: Context): Promise<ReadonlyMap<string, number>> {
  const templates = new Map((await c.find(trainingCourseTemplate, {})).map(({ name, id }) => [name, id]))
  for (const { name, cost = null } of COURSES) {
    const template = await c.get(trainingCourseTemplate, templates.get(name) ?? 0)
    if (!template) throw new Error(`The catalogue has no course "${name}"`)
    const { code, category, duration, validityMonths } = template
    await c.create(trainingCourse, { template: template.id, name, code, category, duration, validityMonths, cost })
  }
  const yearly = { retakeMonth: '03', retakeDay: 31, retakeGraceDays: 30 } as const
  await c.create(trainingCourse, { name: 'Yearly safety briefing', duration: '1 hour', ...yearly })
  return new Map((await c.find(trainingCourse, {})).map(({ name, id }) => [name, id]))
}

const trainingPart: DemoDataPart = {
  name: 'training',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    const ago = (days: number) => today.subtract({ days }).toString()
    await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
      const courses = await copyCourses(c)
      const duties = await c.find(trainingDuty, {})
      for (const [name, jobtitlename, number] of NEEDS)
        await c.create(trainingRequirement, {
          course: courses.get(name) ?? 0,
          scope: jobtitlename ? 'jobTitle' : 'everybody',
          jobtitlename,
          startsOn: ago(NEEDED_SINCE),
          graceDays: GRACE_DAYS,
          reason: number ? 'duty' : 'contract',
          duty: number ? (duties[number - 1]?.id ?? null) : null,
        })
      const people = await c.find(employee, { retired: false })
      for (const { name, completed } of COURSES) {
        const titles = NEEDS.filter(([course]) => course === name).map(([, title]) => title)
        for (const person of people.filter(
          ({ jobtitlename }) => titles.includes('') || titles.includes(jobtitlename ?? ''),
        )) {
          const exception = EXCEPTIONS.find(([who, course]) => who === person.name && course === name)
          const days = exception ? exception[2] : completed
          if (days === null || days === undefined) continue
          const day = ago(days)
          const isOwn = person.user === c.actor.userId
          if (isOwn || (person.extCStartDate ?? '') > day) continue
          await c.create(trainingRecord, {
            employee: person.id,
            course: courses.get(name) ?? 0,
            completedOn: day,
            result: name.includes('induction') ? 'attended' : 'passed',
            provider: name.includes('induction') ? 'Brick & Beam' : 'Kelham Training',
          })
        }
      }
      const idOf = (name: string) => people.find((one) => one.name === name)?.id ?? 0
      for (const [person, course, state] of [
        ['Lorna Mackie', 'Site Management Safety Training Scheme (SMSTS)', 'booked'],
        ['Gary Hollis', 'Manual handling', 'planned'],
      ] as const)
        await c.create(trainingPlan, {
          employee: idOf(person),
          course: courses.get(course) ?? 0,
          plannedOn: today.add({ days: 20 }).toString(),
          state,
          provider: 'Kelham Training',
        })
    })
  },
}

export const seeds = [trainingPart]
