import type { ValuesOf } from '#kernel/resource.ts'
import { LONDON_TIME_ZONE, londonDate } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { KELHAM } from '#modules/people/employees/demo-people.ts'
import { employee } from '#modules/people/employees/employee.ts'
import { incidentSite } from '#modules/people/sites/incident-site.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { incidentReport } from './reports/incident-report.ts'
import { screenReport } from './riddor/screening.server.ts'
import { incidentDepartment } from './settings/incident-department.ts'

type Values = ValuesOf<typeof incidentReport>
type Person = NonNullable<Values['personnel']>[number]

const { name: _, ...KELHAM_ADDRESS } = KELHAM

const DEPARTMENTS = [
  { name: 'Brickwork' },
  { name: 'Scaffolding' },
  { name: 'Health and safety', support: true },
] as const

const ANSWERS = { workRelated: 'yes', occurrence: 'no', gasSupplier: 'no', gasFitting: 'no' } as const
const NOT_EXEMPT = { armedForces: 'no', medicalTreatment: 'no', roadVehicle: 'no', enclosedSpace: 'no' } as const
/** IDs of lookups: an employee; the absence of effects such as a loss of consciousness. */
const EMPLOYEE = 1
const NO_EFFECT = [4]

/** Returns a London time on an earlier day. */
const londonTime = (engine: Engine, daysAgo: number, time: string) =>
  londonDate(engine.clock.now())
    .subtract({ days: daysAgo })
    .toZonedDateTime({ timeZone: LONDON_TIME_ZONE, plainTime: time })
    .toInstant()

/** Runs work as a demo user of the building company, some minutes after a time. */
const seedAfter = <T>(
  engine: Engine,
  username: string,
  [daysAgo, time, minutes]: readonly [number, string, number],
  work: (c: Context) => Promise<T>,
) => seedAsUser(engine, { clientId: 1, username, at: londonTime(engine, daysAgo, time).add({ minutes }) }, work)

/** Returns an employee's details for the accident book. */
async function detailsOf(c: Context, surname: string): Promise<Partial<Person>> {
  const [one] = await c.find(employee, { surname })
  if (!one) throw new Error(`The demo data has no employee ${surname}`)
  return {
    recordType: 'IP',
    employee: one.id,
    jobClass: EMPLOYEE,
    name: `${one.forename} ${one.surname}`,
    payroll: one.payroll,
    jobTitle: one.jobtitlename,
    commencedEmployment: one.extCStartDate,
    dateOfBirth: one.dob,
    sex: one.sex,
    address1: one.address1,
    city: one.city,
    county: one.county,
    postcode: one.postcode,
    telephone: one.telephone,
  }
}

/** Reports an incident from the site, and returns its ID. */
async function report(c: Context, at: Temporal.Instant, values: Values): Promise<number> {
  const [site] = await c.find(incidentSite, { name: KELHAM.name })
  const made = await c.create(incidentReport, {
    state: 'reported',
    datetime: at.toString(),
    site: site?.id ?? null,
    ...values,
  } as never)
  return (await made.saved()).id
}

/** Adds the office's details to a reported incident. */
async function complete(c: Context, id: number, values: Values): Promise<void> {
  const row = await c.lock(incidentReport, id)
  if (row) await c.change(incidentReport, row, values as never)
}

/** Values of an action that belongs to a person with an account. */
const OTHER = { managerName: '', email: '', notes: '', adminNotes: '' }

async function raise(c: Context, id: number, description: string, days: number): Promise<void> {
  const [owner] = await c.find(user, { username: 'worker.brick' })
  const deadline = londonDate(c.now).add({ days }).toString()
  await c.act(incidentReport, 'raiseAction', id, { description, deadline, owner: owner?.id ?? null, ...OTHER })
}

async function seedDepartments(engine: Engine): Promise<void> {
  await seedAsUser(engine, { clientId: 1, username: 'admin.brick' }, async (c) => {
    await c.createAll(incidentDepartment, [...DEPARTMENTS])
  })
}

/** A cut that needed first aid: decided as not reportable, and closed. */
async function seedMinorInjury(engine: Engine): Promise<void> {
  const at = londonTime(engine, 24, '10:40')
  const id = await seedAfter(engine, 'worker.brick', [24, '10:40', 15], (c) =>
    report(c, at, {
      description: 'A brick slipped from the stack while it was being cut. The edge cut the left hand.',
      internalLocation: 'Ground floor, saw bench',
      reportedHarm: 'minor',
      personnel: [{ recordType: 'IP', name: 'Owen Price', harm: 'injured' }],
    } as never),
  )
  await seedAfter(engine, 'admin.brick', [23, '09:00', 0], async (c) => {
    const [named] = (await c.get(incidentReport, id))?.personnel ?? []
    await complete(c, id, {
      incidentType: 12,
      workProcess: 4,
      mainIndustry: 12,
      answers: ANSWERS,
      nation: 'greatBritain',
      ...KELHAM_ADDRESS,
      actualSeverity: 'minor',
      potentialSeverity: 'minor',
      recurrence: 'unlikely',
      investigationLevel: 'minimal',
      immediateCauses: 'Bricks were cut without gloves.',
      rootCauses: 'Gloves for the saw bench were not part of the induction.',
      prevention: 'Gloves at the saw bench.',
      personnel: [
        {
          ...named,
          ...(await detailsOf(c, 'Price')),
          incidentType: 2,
          mainFactor: 6,
          injurySustained: 11,
          severity: 7,
          bodyPart: 13,
          injuryEffect: NO_EFFECT,
          harm: 'injured',
          specified: [],
          absences: [],
          answers: { ...NOT_EXEMPT, overSevenDays: 'no' },
          description: 'Cut to the left palm, cleaned and dressed on site',
        },
      ],
    } as never)
    await raise(c, id, 'Add gloves for the saw bench to the induction.', 10)
  })
  await seedAfter(engine, 'admin.brick', [22, '16:30', 0], async (c) => {
    const row = await c.lock(incidentReport, id)
    if (!row) return
    const { fingerprint } = await screenReport(c, row, londonDate(c.now).toString())
    await c.act(incidentReport, 'decideRiddor', id, {
      decision: 'not reportable',
      reason: 'First aid only; back at work the same hour.',
      expected: fingerprint,
    })
    await c.act(incidentReport, 'close', id, { notes: 'Gloves are at the bench and part of the induction.' })
  })
}

/** A back injury with an absence of more than seven days: the clock for the report to HSE is running. */
async function seedOverSevenDayInjury(engine: Engine): Promise<void> {
  const at = londonTime(engine, 11, '14:20')
  const id = await seedAfter(engine, 'admin.brick', [11, '14:20', 50], (c) =>
    report(c, at, {
      description: 'Two people lifted a lintel from the ground. One of them felt a sharp pain in the back.',
      internalLocation: 'North face, first lift',
      reportedHarm: 'serious',
      personnel: [{ recordType: 'IP', name: 'Nadia Rahman', harm: 'injured' }],
    } as never),
  )
  await seedAfter(engine, 'admin.brick', [10, '08:30', 0], async (c) => {
    const row = await c.get(incidentReport, id)
    const dayAfter = londonDate(at).add({ days: 1 }).toString()
    await complete(c, id, {
      incidentType: 10,
      workProcess: 4,
      mainIndustry: 12,
      answers: ANSWERS,
      nation: 'greatBritain',
      ...KELHAM_ADDRESS,
      personnel: (row?.personnel ?? []).map((named) => ({ ...named, absences: [{ from: dayAfter }] })),
    } as never)
    await c.act(incidentReport, 'investigate', id, {})
    await raise(c, id, 'Order a lifting clamp for lintels, and state its use in the method statement.', 14)
  })
  await seedAfter(engine, 'admin.brick', [1, '09:10', 0], async (c) => {
    const [named] = (await c.get(incidentReport, id))?.personnel ?? []
    await complete(c, id, {
      actualSeverity: 'serious',
      potentialSeverity: 'serious',
      recurrence: 'possible',
      immediateCauses: 'A lintel of 68 kg was lifted by hand.',
      personnel: [
        {
          ...named,
          ...(await detailsOf(c, 'Rahman')),
          incidentType: 5,
          mainFactor: 19,
          injurySustained: 16,
          severity: 3,
          bodyPart: 8,
          injuryEffect: NO_EFFECT,
          harm: 'injured',
          specified: [],
          answers: NOT_EXEMPT,
          description: 'Strain of the lower back while lifting a lintel',
        },
      ],
    } as never)
    await raise(c, id, 'Brief both gangs on lifting lintels.', 12)
  })
}

/** Near miss in the state “reported”, entered by a worker. */
async function seedNearMiss(engine: Engine): Promise<void> {
  const at = londonTime(engine, 2, '11:05')
  await seedAfter(engine, 'worker.brick', [2, '11:05', 4], (c) =>
    report(c, at, {
      nearMiss: true,
      description: 'A coupler fell from the second lift into the closed area beside the hoist.',
      internalLocation: 'East scaffold, beside the hoist',
    } as never),
  )
}

async function seedIncidents(engine: Engine): Promise<void> {
  await seedDepartments(engine)
  await seedMinorInjury(engine)
  await seedOverSevenDayInjury(engine)
  await seedNearMiss(engine)
}

export const seeds: readonly DemoDataPart[] = [
  { name: 'incidents', needs: ['employees', 'corrective actions'], tell: seedIncidents },
]
