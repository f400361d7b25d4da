import { statementSecretLink } from '#modules/incidents/statements/request.server.ts'
import { expectOk } from './attendances.ts'
import type { TestApi, TestClient, TestPortal } from './portal.ts'
import { makeRiddorHelpers, REPORTS } from './riddor.ts'
import { makeUploadForm } from './uploads.ts'

/**
 * Reports two incidents, decides on them under RIDDOR, closes, amends and prints them. Each kind of row exists twice under one
 * incident, so that two rows can be swapped.
 */
export async function addIncidents(portal: TestPortal, client: TestClient): Promise<void> {
  const { day, decide, injured, post, report } = makeRiddorHelpers(portal)
  const api = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] }))
  for (const place of ['Bay 3', 'Yard']) {
    const files = [await addFile(api, `${place} before.txt`), await addFile(api, `${place} after.txt`)]
    const made = await post(api, {
      ...report(2, [injured({ specified: ['b'] }), { recordType: 'WT', name: 'Sam Reed', statement: 'I saw it.' }]),
      internalLocation: place,
      addressLine1: '1 High Street',
      city: 'Leeds',
      county: 'West Yorkshire',
      postcode: 'LS1 4AP',
      riskLinks: [{ other: 'No assessment of this work' }, { other: 'Talk of last week' }],
      dangerousOccurrences: [1, 2].map((id) => ({ dangerousOccurrence: `/api/safety/dangerous_occurances/${id}` })),
      answers: { workRelated: 'yes', underOurControl: 'yes', gasSupplier: 'no', gasFitting: 'no' },
      files,
    })
    const at = made['@id']
    for (const reason of ['As proposed', 'Checked again']) expectOk(await decide(api, at, 'reportable', { reason }))
    for (const reference of ['F2508-1', 'F2508-2'])
      expectOk(await api.post(`${at}/record-hse-report`, { reference, sentOn: day(0), reason: 'A wrong digit' }))
    for (const [action, body] of [
      ['close', {}],
      ['reopen', { reason: 'A new witness' }],
      ['close', {}],
    ] as const)
      expectOk(await api.post(`${at}/${action}`, body))
    for (const text of ['The guard was missing', 'It has been replaced']) {
      expectOk(await api.post(`${at}/amend`, { text, reason: 'Found later' }))
      expectOk(await api.get(`${at}/accident-record.pdf`))
    }
  }
  await addScreenedIncident(portal, client, api)
}

/**
 * Reports an incident whose witness gives a statement by link, that is changed, and whose absence the daily schedule
 * screens. Reports another one that is deleted and restored.
 */
async function addScreenedIncident(portal: TestPortal, client: TestClient, api: TestApi): Promise<void> {
  const { day, injured, post, report } = makeRiddorHelpers(portal)
  const people = [injured({ absences: [{ from: day(-11) }] }), { recordType: 'WT', name: 'Al Moss' }]
  const { '@id': at, id, personnel } = await post(api, report(12, people))
  await addStatement(portal, client, api, personnel[1]['@id'])
  expectOk(await api.post(`${at}/investigate`, {}))
  expectOk(await api.put(at, { subActivity: 'Mixing' }))
  const { '@id': other } = await post(api, report(1, []))
  expectOk(await api.put(other, { retired: true, retireReason: 'Entered twice' }))
  expectOk(await api.put(other, { retired: false }))
  await portal.db.tx('owner', (tx) =>
    tx.rows('UPDATE incident_report SET riddor_outcome = NULL WHERE client_id = $1 AND id = $2', [client.id, id]),
  )
  await portal.runSchedule('incident.absences')
}

/** Requests a statement from a witness, who gives it by link. */
async function addStatement(portal: TestPortal, client: TestClient, api: TestApi, person: string): Promise<void> {
  const { id: request } = expectOk(
    await api.post('/api/safety/incident_statement_requests', { person, email: 'al@moss.example' }),
  )
  const link = await statementSecretLink.make(portal.engine, client.id, { request })
  const at = `/api/safety/linked_statements/${link?.split('/').at(-1)}`
  expectOk(await portal.anonymous.post(`${at}/statement`, { statement: 'The ladder slipped.' }))
}

async function addFile(api: TestApi, name: string): Promise<string> {
  const { headers, body } = makeUploadForm(`${name}\n`, name)
  return expectOk(await api.send('POST', `${REPORTS}/files`, { headers, body }))['@id']
}
