import { expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { createLeaveCompany, LEAVE } from '#test/support/leave.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const REPORT = '/api/employees/leave_report'
const today = () => portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate()
const thisYear = today().year
const names = async (api: TestApi) => (await api.get(REPORT)).body.rows.map(({ name }: { name: string }) => name)

test('the report has the people whose leave the reader may read, with figures that add up', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  await hr.post('/api/employees/sickness_absences', { employee: worker.iri, firstDay: today().toString() })
  const { body } = await hr.get(REPORT)
  const [, row] = body.rows
  expect(row).toMatchObject({ dayMinutes: 480, sickDays: 1, bradford: { score: 1 } })
  expect(row.left).toBe(
    row.entitlement +
      row.carriedOver +
      row.adjusted -
      row.bankHolidays -
      row.taken -
      row.booked -
      row.waiting -
      row.paidInLieu,
  )
  expect(await names(manager.api)).toHaveLength(2)
  expect(await names(worker.api)).toHaveLength(1)
  const other = await createLeaveCompany(portal)
  expect(await names(other.hr)).toEqual([])
  const { text, headers } = await hr.get(`${REPORT}/export.csv`)
  expect(headers['content-type']).toContain('text/csv')
  expect(text.split('\r\n')[0]).toContain('"Left (hours)"')
  const pdf = await worker.api.get(`${REPORT}/export.pdf`)
  const printed = await extractResponseText(pdf)
  expect([pdf.headers['content-type'], printed.includes('Person2'), printed.includes('Person1')]).toEqual([
    'application/pdf',
    true,
    false,
  ])
  expect((await hr.get(`${REPORT}?year=x`)).status).toBe(400)
})

test('the record of a year states entitlement, taken, carried and paid leave with every row, to its readers only', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const [worker, other] = [await person(), await person()]
  const year = `${thisYear + 1}-01-01`
  await hr.post(`${LEAVE.accounts}/${worker.id}/adjust`, { year, minutes: -60, reason: '=HYPERLINK("x")' })
  const record = `${LEAVE.accounts}/${worker.id}/record.csv?year=${year}`
  const { text, headers } = await worker.api.get(record)
  expect(headers['content-disposition']).toContain(`leave-record-person1-test-${thisYear + 1}.csv`)
  const lines = text.split('\r\n')
  expect(lines).toContain('"Entitlement: Four weeks (regulation 13)",160')
  expect(lines).toContain('"Adjusted",-1')
  expect(lines).toContain('"Paid in lieu",0')
  expect(text).not.toContain('"=HYPERLINK')
  expect((await other.api.get(record)).status).toBe(404)
  const pdf = record.replace('.csv', '.pdf')
  const printed = await extractResponseText(await worker.api.get(pdf))
  expect(printed).toContain('Record of annual leave: Person1 Test')
  expect(printed).toContain('regulation 16B of the Working Time Regulations 1998')
  expect(printed).toContain('=HYPERLINK')
  expect((await other.api.get(pdf)).status).toBe(404)
})

test('a changed leaving date recounts the entitlement', async () => {
  const { admin, person, balance } = await createLeaveCompany(portal)
  const worker = await person()
  await admin.put(worker.iri, { leavingDate: `${thisYear + 1}-06-30` })
  await portal.drain()
  const { entitlement } = await balance(admin, worker, `${thisYear + 1}-01-01`)
  expect(entitlement).toBeGreaterThan(13 * 480)
  expect(entitlement).toBeLessThan(15 * 480)
})

test('a leave year that is not named by a date is refused', async () => {
  const { hr, person } = await createLeaveCompany(portal)
  const account = `${LEAVE.accounts}/${(await person()).id}`
  const pdfs = [`${account}/record.pdf`, `${REPORT}/export.pdf`]
  for (const url of [`${account}/balance`, `${account}/record.csv`, REPORT, `${REPORT}/export.csv`, ...pdfs])
    for (const year of ['x', '2026-13-01', '2026-02-30'])
      expect([url, year, (await hr.get(`${url}?year=${year}`)).status]).toEqual([url, year, 400])
})
