import { expect, test } from 'vitest'
import { impersonate } from '#test/support/impersonate.ts'
import { createLeaveCompany } from '#test/support/leave.ts'
import { testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const SICKNESS = '/api/employees/sickness_absences'
const NOTES = '/api/employees/fit_notes'
const before = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().subtract({ days }).toString()
const file = () => makeUploadForm(MINIMAL_PDF, 'fit-note.pdf')

async function sickPerson() {
  const company = await createLeaveCompany(portal)
  const { client, hr, person } = company
  const manager = await person()
  const worker = await person({ manager: manager.iri })
  const account = await client.user({ roles: ['ROLE_HR', 'ROLE_HR_PRIVATE'] })
  const absence = (await hr.post(SICKNESS, { employee: worker.iri, firstDay: before(9) })).body
  return { ...company, manager, worker, account, privateHr: client.as(account), absence }
}

test('only people with the role for private details add, list and open a fit note, and each opening is logged', async () => {
  const { hr, admin, manager, worker, privateHr, absence } = await sickPerson()
  const upload = `${absence['@id']}/fit_notes`
  for (const api of [hr, admin, manager.api, worker.api]) {
    expect((await api.send('POST', upload, file())).status).toBe(403)
    expect((await api.get(NOTES)).status).toBe(403)
  }
  const { status, body } = await privateHr.send('POST', upload, file())
  expect([status, body.name]).toEqual([201, 'fit-note.pdf'])
  const reads = async () => (await admin.get('/api/portal/confidential_reads')).body['hydra:member']
  const earlier = (await reads()).length
  expect((await privateHr.get(body.url)).status).toBe(200)
  for (const api of [hr, admin, manager.api, worker.api]) expect((await api.get(body.url)).status).toBe(403)
  expect((await reads()).length).toBe(earlier + 1)
  expect((await privateHr.get(`${NOTES}?absence=${absence['@id']}`)).body['hydra:totalItems']).toBe(1)
})

test('nobody adds or retires a fit note of their own, and no other company reaches one', async () => {
  const { privateHr, admin, account, client, absence, person } = await sickPerson()
  const own = await person({}, ['ROLE_EMPLOYEE', 'ROLE_HR', 'ROLE_HR_PRIVATE'])
  const mine = (await own.api.post(SICKNESS, { employee: own.iri, firstDay: before(3) })).body
  expect((await own.api.send('POST', `${mine['@id']}/fit_notes`, file())).status).toBe(403)
  const note = (await privateHr.send('POST', `${mine['@id']}/fit_notes`, file())).body
  expect((await own.api.put(note['@id'], { retired: true })).status).toBe(403)
  expect((await privateHr.put(note['@id'], { retired: true })).body.retired).toBe(true)
  const other = await sickPerson()
  expect((await other.privateHr.get(note.url)).status).toBe(404)
  expect((await other.privateHr.send('POST', `${absence['@id']}/fit_notes`, file())).status).toBe(404)
  expect(client.id).not.toBe(other.client.id)
  expect((await admin.get(note.url)).status).toBe(403)
  const visitor = await impersonate(portal, account)
  expect((await visitor.send('POST', `${absence['@id']}/fit_notes`, file())).status).toBe(403)
})

test('a retired absence takes no fit note, and a program is refused', async () => {
  const { hr, privateHr, absence } = await sickPerson()
  const upload = `${absence['@id']}/fit_notes`
  expect((await privateHr.send('POST', upload, makeUploadForm(Buffer.from('MZ'), 'note.exe'))).status).toBe(422)
  await hr.put(absence['@id'], { retired: true })
  expect((await privateHr.send('POST', upload, file())).status).toBe(409)
})
