import { expect, test } from 'vitest'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { REPORTS } from '#test/support/riddor.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'
import { incidentSettings } from './incident-settings.ts'

const portal = await testPortal()

async function world() {
  const client = await portal.client()
  const person = async (...roles: string[]) => {
    const account = await client.user({ roles })
    return { account, api: client.as(account) }
  }
  const admin = await person('ROLE_CLIENT_ADMIN')
  const author = await person('ROLE_SAFETY_AUTHOR')
  const worker = await person('ROLE_EMPLOYEE')
  const settings = `${incidentSettings.url}/${client.id}`
  const set = (values: Record<string, unknown>, by: TestApi = admin.api) => by.put(settings, values)
  return { client, person, admin, author, worker, settings, set }
}

let sent = 0
const report = (more: Record<string, unknown> = {}) => ({
  state: 'reported',
  deviceKey: `device-${++sent}`,
  description: 'Slipped on a wet floor',
  datetime: portal.engine.clock.now().subtract({ hours: 1 }).toString(),
  latitude: 53.8,
  longitude: -1.5,
  reportedHarm: 'minor',
  ...more,
})
const violationsOf = ({ body }: { readonly body: { readonly violations?: readonly { propertyPath: string }[] } }) =>
  (body.violations ?? []).map(({ propertyPath }) => propertyPath)

/** Reports an incident, and returns which of the people are notified of it. */
async function notified(by: TestApi, people: Record<string, { readonly api: TestApi }>, more: object = {}) {
  const made = await by.post(REPORTS, report(more as Record<string, unknown>))
  expect(made.status).toBe(201)
  await portal.drain()
  const found: string[] = []
  for (const [name, { api }] of Object.entries(people)) {
    const { body } = await api.get('/api/portal/notices/inbox')
    if (body['hydra:member'].some(({ words }: { words: string }) => words.includes(made.body.number))) found.push(name)
  }
  return found
}

test('administrators are notified of a new report unless the company has chosen other recipients for its severity', async () => {
  const { person, admin, author, worker, set } = await world()
  const reader = await person('ROLE_INCIDENT_READER')
  const people = { admin, author, reader }
  expect(await notified(worker.api, people)).toEqual(['admin'])
  const recipients = {
    minor: { roles: ['ROLE_SAFETY_AUTHOR'], users: [reader.account.id] },
    nearMiss: { roles: [], users: [reader.account.id] },
  }
  expect((await set({ recipients })).body.recipients).toEqual(recipients)
  expect(await notified(worker.api, people)).toEqual(['author', 'reader'])
  expect(await notified(worker.api, people, { nearMiss: true, reportedHarm: null })).toEqual(['reader'])
  expect(await notified(worker.api, people, { reportedHarm: 'fatal' })).toEqual(['admin'])
  expect(await notified(worker.api, people, { reportedHarm: null })).toEqual(['admin'])
})

test('administrators are notified if none of the chosen recipients can open the accident book any more', async () => {
  const { admin, author, worker, set } = await world()
  const minor = { roles: [], users: [author.account.id] }
  expect((await set({ recipients: { minor } })).status).toBe(200)
  expect(await notified(worker.api, { admin, author })).toEqual(['author'])
  await admin.api.put(author.account.iri, { roles: ['ROLE_EMPLOYEE'] })
  expect(await notified(worker.api, { admin })).toEqual(['admin'])
  await admin.api.put(author.account.iri, { isRetired: true })
  expect(await notified(worker.api, { admin })).toEqual(['admin'])
})

test('unknown recipients, recipients from another company or without access to the accident book, and levels without recipients are refused', async () => {
  const { worker, author, set } = await world()
  const other = await world()
  const minor = (value: unknown) => ({ recipients: { minor: value } })
  for (const wrong of [
    minor({ roles: ['ROLE_EMPLOYEE'], users: [] }),
    minor({ roles: [], users: [worker.account.id] }),
    minor({ roles: [], users: [other.admin.account.id] }),
    minor({ roles: [], users: [] }),
    minor({ roles: [] }),
    minor('everybody'),
    { recipients: { loud: { roles: ['ROLE_SAFETY_AUTHOR'], users: [] } } },
    { recipients: [] },
  ]) {
    const answer = await set(wrong)
    expect([answer.status, violationsOf(answer)], JSON.stringify(wrong)).toEqual([422, ['recipients']])
  }
  expect((await set(minor({ roles: [], users: [author.account.id] }))).status).toBe(200)
})

test("only the company's approvers can change the settings, and reporters can read the questions but not the recipients", async () => {
  const { author, worker, admin, settings, set } = await world()
  const other = await world()
  expect([(await set({}, author.api)).status, (await set({}, worker.api)).status]).toEqual([403, 403])
  expect((await set({}, other.admin.api)).status).toBe(404)
  await set({ requiredAnswers: ['photo'] })
  const { body } = await worker.api.get(settings)
  expect([body.requiredAnswers, 'recipients' in body]).toEqual([['photo'], false])
  expect((await admin.api.get(settings)).body.recipients).toEqual({})
  const wrong = await set({ requiredAnswers: ['password'] })
  expect([wrong.status, violationsOf(wrong)]).toEqual([422, ['requiredAnswers']])
})

test("a reporter must give the company's required answers, and the office need not", async () => {
  const { worker, admin, set } = await world()
  await set({ requiredAnswers: ['place', 'injured', 'photo', 'contact'] })
  const bare = { latitude: null, longitude: null, internalLocation: 'Bay 3' }
  const refused = await worker.api.post(REPORTS, report(bare))
  expect([refused.status, violationsOf(refused)]).toEqual([422, ['personnel', 'files']])
  expect((await worker.api.post(REPORTS, report({ ...bare, deviceKey: '' }))).status).toBe(422)
  const draft = await worker.api.post(REPORTS, report({ ...bare, deviceKey: '', state: 'draft' }))
  expect(draft.status).toBe(201)
  expect((await worker.api.put(draft.body['@id'], { state: 'reported' })).status).toBe(422)
  expect((await admin.api.post(REPORTS, report(bare))).status).toBe(422)
  expect((await admin.api.post(REPORTS, report({ ...bare, deviceKey: '' }))).status).toBe(201)
  const { headers, body } = makeUploadForm(await makePicture(40, 30).png().toBuffer(), 'floor.png')
  const file = (await worker.api.send('POST', `${REPORTS}/files`, { headers, body })).body['@id']
  const personnel = [{ recordType: 'IP', name: 'A man in a red jacket' }]
  const made = await worker.api.post(REPORTS, report({ ...bare, personnel, files: [file] }))
  expect([made.status, made.body.missingAnswers]).toEqual([201, []])
})

test('a report that was queued before an answer became required is accepted and lists the missing answer', async () => {
  const { worker, admin, set } = await world()
  const queued = report({ formRequired: ['injured'], personnel: [{ recordType: 'IP', name: 'Ann' }] })
  await set({ requiredAnswers: ['injured', 'photo'] })
  const made = await worker.api.post(REPORTS, queued)
  expect([made.status, made.body.missingAnswers]).toEqual([201, ['photo']])
  const ignored = await worker.api.post(REPORTS, report({ formRequired: ['injured', 'photo'] }))
  expect([ignored.status, violationsOf(ignored)]).toEqual([422, ['personnel', 'files']])
  const forged = await worker.api.post(REPORTS, report({ formRequired: ['injured'], missingAnswers: [] }))
  expect(forged.status).toBe(422)
  await set({ requiredAnswers: [] })
  expect((await admin.api.get(made.body['@id'])).body.missingAnswers).toEqual(['photo'])
})

test("a visitor must give the company's required answers, by the same rule", async () => {
  const { admin, set } = await world()
  await set({ requiredAnswers: ['place', 'photo', 'contact'] })
  const site = (await admin.api.post('/api/safety/incident_sites', { name: 'Mill Lane' })).body
  const { link } = (await admin.api.post(`${site['@id']}/link`, {})).body
  const at = `/api/safety/shared_sites/${String(link.address).split('/report/')[1]}`
  expect((await portal.anonymous.get(at)).body.requiredAnswers).toEqual(['place', 'photo', 'contact'])
  const { datetime, description } = report()
  const visit = (more: object = {}) =>
    portal.anonymous.post(`${at}/reports`, {
      key: `visit-${++sent}`,
      datetime,
      description,
      reportedBy: 'Vera Visitor',
      severity: 'minor',
      ...more,
    })
  const refused = await visit()
  expect([refused.status, violationsOf(refused)]).toEqual([422, ['internalLocation', 'reporterContact']])
  expect((await visit({ internalLocation: 'Gate', contact: '07700 900123' })).status).toBe(200)
  expect((await visit({ formRequired: ['place'], internalLocation: 'Gate' })).status).toBe(200)
  const [latest] = (await admin.api.get(REPORTS)).body['hydra:member']
  expect((await admin.api.get(latest['@id'])).body.missingAnswers).toEqual(['contact'])
})
