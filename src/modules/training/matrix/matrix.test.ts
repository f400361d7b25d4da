import fc from 'fast-check'
import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { scaleRunCount } from '#test/support/scope.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { TRAINING as AT, createTrainingCompany, type TrainedPerson } from '#test/support/training.ts'
import type { MatrixCell } from './matrix.ts'

const portal = await testPortal()

test('the matrix states which training is in date, due, expired, never done or not needed, today and on any past day', async () => {
  const w = await createTrainingCompany(portal)
  const { day, cellOf } = w
  const worker = await w.person()
  const of = await w.course({ validityMonths: 12 })
  expect(await cellOf(worker, of)).toBeUndefined()
  await w.need(of, { startsOn: day(-400), graceDays: 30 })
  expect(await cellOf(worker, of)).toMatchObject({ state: 'never', needed: true, competent: false, dueOn: day(-370) })
  expect(await cellOf(worker, of, day(-401))).toBeUndefined()
  const { validUntil } = await w.record(worker, of, -380)
  const after = (days: number) => Temporal.PlainDate.from(validUntil).add({ days }).toString()
  for (const [on, state, competent] of [
    [day(-381), 'never', false],
    [day(-380), 'inDate', true],
    [after(-91), 'inDate', true],
    [after(-90), 'due', true],
    [validUntil, 'due', true],
    [after(1), 'expired', false],
    [day(0), 'expired', false],
  ] as const)
    expect(await cellOf(worker, of, on), on).toMatchObject({ state, competent })
  await w.record(worker, of, -1)
  expect(await cellOf(worker, of)).toMatchObject({ state: 'inDate', completedOn: day(-1) })
  expect(await cellOf(worker, of, after(1))).toMatchObject({ state: 'expired' })
})

test('a person with two requirements for one course has the earlier day, and grace counts from the start in the role', async () => {
  const w = await createTrainingCompany(portal)
  const { day, cellOf } = w
  const of = await w.course()
  const worker = await w.person({ jobtitlename: ' Roofer ', extCStartDate: day(-20) })
  const other = await w.person({ jobtitlename: 'Joiner' })
  await w.need(of, { scope: 'jobTitle', jobtitlename: 'roofer', graceDays: 30 })
  expect(await cellOf(worker, of)).toMatchObject({ dueOn: day(10), state: 'never' })
  expect(await cellOf(other, of)).toBeUndefined()
  await w.need(of, { scope: 'person', employee: worker.iri, startsOn: day(-5), graceDays: 7 })
  expect(await cellOf(worker, of)).toMatchObject({ dueOn: day(2) })
  // A change of role counts from the day of the change, and earlier days keep the former role.
  expectSuccess(await w.admin.patch(other.iri, { jobtitlename: 'Roofer' }))
  expect(await cellOf(other, of)).toMatchObject({ dueOn: day(30) })
  expect(await cellOf(other, of, day(-1))).toBeUndefined()
})

test('sites and departments filter by the job on the day, and each reader sees their own people', async () => {
  const w = await createTrainingCompany(portal)
  const site = expectSuccess(
    await w.admin.post('/api/safety/incident_sites', { name: 'North yard', noPostcode: true, addressLine1: 'Yard' }),
  )
  const department = expectSuccess(await w.admin.post('/api/employees/departments', { name: 'Roofs' }))
  const manager = await w.person()
  const worker = await w.person({ manager: manager.iri, site: site['@id'], department: department['@id'] })
  const of = await w.course()
  await w.need(of, { scope: 'site', site: site['@id'] })
  await w.need(of, { scope: 'department', department: department['@id'] })
  const idsOf = (body: { people: { id: number }[] }) => body.people.map(({ id }) => id).toSorted((a, b) => a - b)
  expect(idsOf(await w.matrixOf(w.trainer))).toEqual([manager.id, worker.id])
  expect(idsOf(await w.matrixOf(w.trainer, `?site=${site.id}`))).toEqual([worker.id])
  expect(idsOf(await w.matrixOf(w.trainer, `?department=${department.id}`))).toEqual([worker.id])
  expect(idsOf(await w.matrixOf(manager.api))).toEqual([manager.id, worker.id])
  expect(idsOf(await w.matrixOf(worker.api))).toEqual([worker.id])
  expect((await w.matrixOf(w.trainer, `?employee=${worker.id}`)).people[0]).toMatchObject({
    department: 'Roofs',
    site: 'North yard',
  })
  expect((await w.trainer.get(`${AT.matrix}?day=2026-02-30`)).status).toBe(400)
})

test('the matrix is exported as CSV, workbook and PDF', async () => {
  const w = await createTrainingCompany(portal)
  const worker = await w.person({ jobtitlename: '=Roofer' })
  const [first, second] = [await w.course({ name: 'Harness' }), await w.course({ name: 'Ladders' })]
  await w.need(first)
  await w.record(worker, second, -3)
  const csv = await w.trainer.get(`${AT.matrix}/export.csv`)
  expect(csv.text).toContain('"Harness","Ladders"')
  expect(csv.text).toContain('"Never"')
  expect(csv.text).not.toContain('"=Roofer')
  const xlsx = await w.trainer.get(`${AT.matrix}/export.xlsx`)
  expect(xlsx.raw?.subarray(0, 2).toString()).toBe('PK')
  const pdf = await w.trainer.get(`${AT.matrix}/export.pdf`)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
})

const NEVER_ENDS = '9999'

interface Need {
  readonly course: number
  readonly scope: string
  readonly from: number
}

interface Training {
  readonly person: number
  readonly course: number
  readonly days: number
  readonly result: 'passed' | 'attended' | 'failed'
}

/** Days ago on which one random history is compared with its recount. */
const COMPARED_DAYS = [0, 1, 30, 89, 90, 91, 200, 364, 365, 366, 500, 799]
const SPAN = 800

const training = fc.record({
  person: fc.nat(1),
  course: fc.nat(2),
  days: fc.integer({ min: 0, max: SPAN }),
  result: fc.constantFrom('passed' as const, 'attended' as const, 'failed' as const),
})
const need = fc.record({
  course: fc.nat(2),
  scope: fc.constantFrom('everybody', 'A', 'B'),
  from: fc.integer({ min: 0, max: SPAN }),
  grace: fc.constantFrom(0, 30),
})
const history = fc.record({
  records: fc.array(training, { minLength: 25, maxLength: 25 }),
  needs: fc.array(need, { minLength: 5, maxLength: 5 }),
})
/** Months for which each course is valid. */
const MONTHS = [1, 12, null]
const TITLES = ['A', 'B']

/** Recounts one cell: the state on a day, and whether the person was competent. */
function recount(
  { records, needs }: { readonly records: readonly Training[]; readonly needs: readonly Need[] },
  { person, course, ago }: { readonly person: number; readonly course: number; readonly ago: number },
  day: (days: number) => string,
): readonly [state: string | undefined, competent: boolean] {
  const months = MONTHS[course]
  const endOf = (days: number) =>
    months ? Temporal.PlainDate.from(day(-days)).add({ months }).subtract({ days: 1 }).toString() : NEVER_ENDS
  const last = records
    .filter((one) => one.person === person && one.course === course && one.days >= ago && one.result !== 'failed')
    .map(({ days }) => endOf(days))
    .toSorted()
    .at(-1)
  const isNeeded = needs.some(
    (one) => one.course === course && one.from >= ago && ['everybody', TITLES[person]].includes(one.scope),
  )
  if (last === undefined) return [isNeeded ? 'never' : undefined, false]
  if (last < day(-ago)) return [isNeeded ? 'expired' : 'notNeeded', false]
  return [last <= day(90 - ago) ? 'due' : 'inDate', true]
}

test('the matrix equals a recount of all records and requirements on any day', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (given) => {
      const w = await createTrainingCompany(portal)
      const people: TrainedPerson[] = []
      for (const jobtitlename of TITLES) people.push(await w.person({ jobtitlename }))
      const courses: { readonly iri: string; readonly id: number }[] = []
      for (const validityMonths of MONTHS) courses.push(await w.course({ validityMonths }))
      for (const { course, scope, from, grace } of given.needs)
        await w.need(courses[course]!, {
          ...(scope === 'everybody' ? {} : { scope: 'jobTitle', jobtitlename: scope }),
          startsOn: w.day(-from),
          graceDays: grace,
        })
      for (const { person, course, days, result } of given.records)
        await w.record(people[person]!, courses[course]!, -days, { result })
      for (const ago of COMPARED_DAYS) {
        const { cells } = await w.matrixOf(w.trainer, `?day=${w.day(-ago)}`)
        for (const [person, { id: employee }] of people.entries())
          for (const [course, { id }] of courses.entries()) {
            const cell = cells.find((one: MatrixCell) => one.employee === employee && one.course === id)
            expect([cell?.state, cell?.competent ?? false], `${ago} days ago, ${person}, ${course}`).toEqual(
              recount(given, { person, course, ago }, w.day),
            )
          }
      }
    }),
    { numRuns: scaleRunCount(10) },
  )
})
