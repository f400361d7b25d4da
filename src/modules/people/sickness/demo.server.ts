import { londonDate } from '#kernel/time.ts'
import { renderPlainPdf } from '#modules/portal/files/demo-content.server.ts'
import { seedFile } from '#modules/portal/files/seed-file.server.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { employee } from '../employees/employee.ts'
import { fitNote } from './fit-note.ts'
import { sicknessAbsence } from './sickness.ts'

/** Sickness of the demo builders: days before today, and how long it lasted. One has a fit note. */
const ABSENCES = [
  { forename: 'Gary', surname: 'Hollis', before: 40, days: 16, hasFitNote: true },
  { forename: 'Owen', surname: 'Price', before: 90, days: 2, hasFitNote: false },
  { forename: 'Owen', surname: 'Price', before: 25, days: 1, hasFitNote: false },
] as const

const sicknessPart: DemoDataPart = {
  name: 'sickness',
  needs: ['employees'],
  tell: async (engine) => {
    const today = londonDate(engine.clock.now())
    const withNotes = await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
      const ids: number[] = []
      for (const { forename, surname, before, days, hasFitNote } of ABSENCES) {
        const [person] = await c.find(employee, { forename, surname })
        if (!person) continue
        const first = today.subtract({ days: before })
        const last = first.add({ days: days - 1 }).toString()
        const made = await c.create(sicknessAbsence, {
          employee: person.id,
          firstDay: first.toString(),
          lastDay: last,
          selfCertifiedOn: first.add({ days: 1 }).toString(),
          returnedOn: first.add({ days }).toString(),
          ...(hasFitNote ? { fitNoteUntil: last, fitNoteSeenOn: first.add({ days: 7 }).toString() } : {}),
        })
        if (hasFitNote) ids.push((await made.saved()).id)
      }
      return ids
    })
    for (const absence of withNotes) await addFitNote(engine, absence)
  },
}

const FIT_NOTE = [
  'DEMONSTRATION ONLY. Not a statement by a doctor. The person is invented.',
  '',
  'Statement of fitness for work',
  'Patient: Gary Hollis',
  'You are not fit for work because of: lower back pain.',
  'Your fitness for work need not be assessed again at the end of this period.',
]

/** Adds a fit note to an absence, as a person with the role for private details would. */
const addFitNote = (engine: Engine, absence: number): Promise<void> =>
  seedFile(
    engine,
    { clientId: 1, username: 'admin.brick' },
    { name: 'demo-fit-note.pdf', bytes: renderPlainPdf(FIT_NOTE) },
    async (c, stored) => {
      await c
        .withoutPermissionCheck('create a record together with its upload')
        .create(fitNote, { ...stored, absence, createdAt: c.now.toString() })
    },
  )

export const seeds = [sicknessPart]
