import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { sicknessAbsence } from './sickness.ts'

/** Sickness of the demo builders: days before today, and how long it lasted. One has a fit note. */
const ABSENCES = [
  { forename: 'Gary', surname: 'Hollis', before: 40, days: 16, fitNote: true },
  { forename: 'Owen', surname: 'Price', before: 90, days: 2, fitNote: false },
  { forename: 'Owen', surname: 'Price', before: 25, days: 1, fitNote: false },
] as const

const sicknessPart: DemoDataPart = {
  name: 'sickness',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
      for (const { forename, surname, before, days, fitNote } of ABSENCES) {
        const [person] = await c.find(employee, { forename, surname })
        if (!person) continue
        const first = today.subtract({ days: before })
        const last = first.add({ days: days - 1 }).toString()
        await c.create(sicknessAbsence, {
          employee: person.id,
          firstDay: first.toString(),
          lastDay: last,
          selfCertifiedOn: first.add({ days: 1 }).toString(),
          returnedOn: first.add({ days }).toString(),
          ...(fitNote ? { fitNoteUntil: last, fitNoteSeenOn: first.add({ days: 7 }).toString() } : {}),
        })
      }
    })
  },
}

export const seeds = [sicknessPart]
