import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers, REPORTS } from '#test/support/riddor.ts'

const portal = await testPortal()
const { day, decide, injured, post, report, world } = makeRiddorHelpers(portal)

interface LoggedRead {
  readonly recordType: string
  readonly fields: readonly string[]
}
const readsOf = async (admin: TestApi, record: string): Promise<readonly LoggedRead[]> =>
  (await admin.get(`/api/portal/confidential_reads?record=${record}`)).body['hydra:member']

const recordOf = (iri: string) => `${iri}/accident-record.pdf`
const summaryOf = (iri: string) => `${iri}/summary.pdf`
const textOf = async (api: TestApi, url: string): Promise<string> => extractResponseText(await api.get(url))

test('a reader of health details can print everything about an incident, and each print is logged once', async () => {
  const { api, approver } = await world()
  const severe = injured({ specified: ['a'], statement: 'The floor was wet.', absences: [{ from: day(-2) }] })
  const { '@id': at } = await post(api, report(3, [severe], { rootCauses: 'A leaking mixer' }))
  expect((await decide(api, at, 'not reportable', { reason: 'A bruise, not a fracture' })).status).toBe(200)
  await api.post(`${at}/raise-action`, { description: 'Mend the mixer', managerName: 'Bob Lee', deadline: day(9) })
  const before = (await readsOf(approver, at)).length
  const text = await textOf(api, recordOf(at))
  for (const words of [
    'Ann Carter',
    '28/02/1990',
    'The floor was wet.',
    'broken bone',
    'no end entered',
    'A leaking mixer',
    'Reason: A bruise, not a fracture',
    'Mend the mixer',
    'RIDDOR decided',
    'not closed',
  ])
    expect(text).toContain(words)
  const added = (await readsOf(approver, at)).slice(0, -before)
  expect(added.map(({ recordType }) => recordType).sort()).toEqual(['IncidentReport', 'RiddorDecision'])
  expect(added.flatMap(({ fields }) => fields)).toEqual(expect.arrayContaining(['personnel.statement', 'reason']))
})

test('the record of a closed incident shows its amendments beside the original text, and says that it is closed', async () => {
  const { api } = await world()
  const place = { addressLine1: 'Moor road', city: 'Hawes', county: 'North Yorkshire', noPostcode: true }
  const { '@id': at } = await post(api, report(2, [injured()], place))
  await decide(api, at, 'not reportable', { reason: 'A small cut' })
  expect((await api.post(`${at}/close`, { notes: 'All done' })).status).toBe(200)
  expect((await api.post(`${at}/amend`, { text: 'It was bay 4', reason: 'Misheard' })).status).toBe(200)
  const text = await textOf(api, recordOf(at))
  for (const words of ['It was bay 4', 'Misheard', 'Bay 3', 'Closed']) expect(text).toContain(words)
  expect(text).not.toContain('not closed')
})

test('the PDFs of a closed incident are stored and sealed, and remain the same file until an amendment', async () => {
  const { client, api, approver, worker } = await world()
  const place = { addressLine1: 'Moor road', city: 'Hawes', county: 'North Yorkshire', noPostcode: true }
  const { '@id': at } = await post(worker, report(2, [injured()], place))
  await decide(api, at, 'not reportable', { reason: 'A small cut' })
  const printsOf = async () =>
    (await api.get(`/api/safety/incident_prints?report=${at}`)).body['hydra:member'] as readonly {
      readonly form: string
    }[]
  await api.get(recordOf(at))
  expect(await printsOf()).toEqual([])
  expect((await api.post(`${at}/close`, {})).status).toBe(200)
  const [first, second] = await Promise.all([api.get(recordOf(at)), api.get(recordOf(at))])
  expect(first.raw?.equals(second.raw ?? Buffer.alloc(0))).toBe(true)
  const reads = (await readsOf(approver, at)).length
  expect((await api.get(recordOf(at))).raw?.equals(first.raw ?? Buffer.alloc(0))).toBe(true)
  expect((await readsOf(approver, at)).length).toBeGreaterThan(reads)
  // The reporter sees less than the stored record, and gets a print of their own.
  expect(await textOf(worker, recordOf(at))).not.toContain('History')
  for (const one of [approver, worker]) expect((await one.get(summaryOf(at))).status).toBe(200)
  expect((await printsOf()).map(({ form }) => form)).toEqual(['summary', 'record'])
  await api.post(`${at}/amend`, { text: 'It was bay 4', reason: 'Misheard' })
  expect(await textOf(api, recordOf(at))).toContain('It was bay 4')
  expect(await printsOf()).toHaveLength(3)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a closed incident shows its site and department everywhere under their names at closing, and an open one under their current names', async () => {
  const { client, api } = await world()
  const [site, department] = ['incident_sites', 'incident_departments'].map((path) => `/api/safety/${path}`)
  const of = (await api.post(department ?? '', { name: 'Cutting shop' })).body
  const where = { addressLine1: 'Moor road', city: 'Hawes', county: 'North Yorkshire', noPostcode: true }
  const at = (await api.post(site ?? '', { name: 'Upper yard', ...where })).body
  expect([at.name, of.name]).toEqual(['Upper yard', 'Cutting shop'])
  const made = await post(api, report(2, [injured()], { ...where, site: at['@id'], department: of['@id'] }))
  const iri = made['@id']
  await decide(api, iri, 'not reportable', { reason: 'A small cut' })
  expect((await api.post(`${iri}/close`, {})).status).toBe(200)
  const rename = async (n: number) => {
    expect((await api.patch(at['@id'], { name: `Yard ${n}` })).status).toBe(200)
    expect((await api.patch(of['@id'], { name: `Shop ${n}` })).status).toBe(200)
  }
  const shown = async () => {
    const { body } = await api.get(iri)
    const [listed] = (await api.get(`${REPORTS}?id=${made.id}`)).body['hydra:member']
    return [body, listed].flatMap((one) => [one.site.name, one.department.name])
  }
  await rename(1)
  expect(await shown()).toEqual(['Upper yard', 'Cutting shop', 'Upper yard', 'Cutting shop'])
  expect((await api.get(`${REPORTS}/export.csv`)).text).toContain('Upper yard')
  const text = await textOf(api, recordOf(iri))
  expect(text).toContain('Upper yard')
  expect(text).not.toMatch(/Yard 1|Shop 1/)
  await api.post(`${iri}/reopen`, { reason: 'Wrong day' })
  expect(await shown()).toEqual(['Yard 1', 'Shop 1', 'Yard 1', 'Shop 1'])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('an anonymous summary names nobody, is the same for everyone who can see the incident, and is not a confidential read', async () => {
  const { api, approver, reader } = await world()
  const { '@id': at } = await post(api, report(3, [injured({ statement: 'The floor was wet.' })]))
  const before = await readsOf(approver, at)
  const [text, ...others] = await Promise.all([api, approver, reader].map((one) => textOf(one, summaryOf(at))))
  expect(text).toContain('Injured person 1')
  for (const words of ['Ann', 'Carter', '1990', 'High Street', 'wet floor', 'The floor', 'Cut finger', 'Bay 3'])
    expect(text).not.toContain(words)
  const withoutTime = (printed: string | undefined) => printed?.replaceAll(/Printed [^·]*·/g, '')
  for (const other of others) expect(withoutTime(other)).toBe(withoutTime(text))
  expect(await readsOf(approver, at)).toEqual(before)
})

test("a user who may not read all health details in an accident record can't print it", async () => {
  const { client, api, approver, worker } = await world()
  const { '@id': at } = await post(worker, report(1, [{ recordType: 'IP', name: 'Ann Carter' }]))
  expect(await textOf(worker, recordOf(at))).toContain('Ann Carter')
  const before = (await readsOf(approver, at)).length
  expect((await approver.get(recordOf(at))).status).toBe(403)
  expect((await readsOf(approver, at)).length).toBe(before)
  // The reporter may not read the details of a person added by another user.
  const [first] = (await api.get(at)).body.personnel
  await api.put(at, { personnel: [first, { recordType: 'WT', name: 'Wes Lowe' }] })
  expect((await worker.get(recordOf(at))).status).toBe(403)
  expect(await textOf(api, recordOf(at))).toContain('Wes Lowe')
  const colleague = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const { api: stranger } = await world()
  for (const url of [recordOf(at), summaryOf(at)]) {
    expect((await colleague.get(url)).status).toBe(404)
    expect((await stranger.get(url)).status).toBe(404)
    expect((await portal.anonymous.get(url)).status).toBe(401)
  }
})

test('a draft has no PDF', async () => {
  const { api } = await world()
  const { '@id': at } = (await api.post(REPORTS, { state: 'draft', description: 'Not finished' })).body
  expect((await api.get(recordOf(at))).status).toBe(409)
  expect((await api.get(summaryOf(at))).status).toBe(409)
})
