import { PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { firstWorkingDayFrom } from '#kernel/working-days.ts'
import { employee } from '#modules/people/employees/employee.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { trainingCourseTemplate } from '../courses/course.ts'
import { trainingBooking } from './booking.ts'
import { trainingSession } from './session.ts'

interface DemoSession {
  readonly course: string
  /** Days from today, moved to a working day. */
  readonly days: number
  readonly trainer: string
  readonly place: string
  readonly joiningDetails: string
  readonly seats: number
  /** Price per seat in pence. */
  readonly price: number
  readonly people: readonly string[]
}

const SESSIONS: readonly DemoSession[] = [
  {
    course: 'Asbestos awareness (category A)',
    days: 12,
    trainer: 'Connor Blake',
    place: 'Training room, 14 Wharf Street, Leeds',
    joiningDetails: 'Tea and coffee from 08:45.',
    seats: 8,
    price: 4500,
    people: ['Bethan Howells'],
  },
  {
    course: 'Fire awareness',
    days: 19,
    trainer: 'Connor Blake',
    place: '',
    joiningDetails: 'Join from any browser: https://meet.example/fire-awareness',
    seats: 2,
    price: 2500,
    people: ['Bethan Howells', 'Joseph Okafor', 'Megan Doyle'],
  },
]

/** Demo data: a session with free seats, and a full one with a waiting list. */
const sessionsPart: DemoDataPart = {
  name: 'training sessions',
  needs: ['training', 'staff'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    for (const { course, days, people, ...rest } of SESSIONS) {
      const day = firstWorkingDayFrom(today.add({ days }))
      const at = (hour: number) =>
        day.toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: { hour } }).toInstant().toString()
      const id = await seedAsUser(engine, { clientId: PROVIDER_CLIENT_ID, username: 'manager' }, async (c) => {
        const [template] = await c.find(trainingCourseTemplate, { name: course })
        const made = await c.create(trainingSession, {
          ...rest,
          course: template?.id ?? 0,
          online: rest.place === '',
          startsAt: at(9),
          endsAt: at(13),
        })
        return (await made.saved()).id
      })
      await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
        for (const [person] of await Promise.all(people.map((name) => c.find(employee, { name })))) {
          const made = await c.create(trainingBooking, { session: id, employee: person?.id ?? 0 })
          await made.saved()
        }
      })
    }
  },
}

export const seeds = [sessionsPart]
