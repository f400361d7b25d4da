import { beforeAll, describe, expect, test } from 'vitest'
import { type TestApi, type TestUser, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { provider } = portal
let person: TestUser
let as: TestApi

beforeAll(async () => {
  person = await provider.user({ roles: ['ROLE_STAFF'], name: 'Jane Caller' })
  as = provider.as(person)
})
const notesOf = async (contact: { '@id': string }) =>
  (await as.get(`${contact['@id']}/actions`)).body['hydra:member'] as Record<string, unknown>[]

describe('a change to a client’s details', () => {
  test("changing a client’s details adds a note by the editor to the client's lead, and the audit trail contains the note", async () => {
    const { id, iri } = await portal.client({ company: 'Old name Ltd' })
    const { body: contact } = await as.post('/api/crm/contacts', { companyName: 'Old name Ltd', client: iri })
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE user_account SET username = username || '.renamed' WHERE id = $1", [person.id]),
    )
    expect((await as.put(`/api/crm/clients/${id}`, { company: 'New name Ltd' })).status).toBe(200)
    await portal.drain()
    const [note, ...none] = await notesOf(contact)
    expect(none).toEqual([])
    expect(note).toMatchObject({
      notes: 'Updated Client details',
      lastResult: { '@id': '/api/crm/last_results/40' },
      user: { name: 'Jane Caller' },
    })
    expect(await trailOf('Note', Number(note?.id))).toEqual(['create'])
  })
})

describe('an undone outcome', () => {
  test('undoing an outcome records the withdrawal of its note in the audit trail', async () => {
    const { body: contact } = await as.post('/api/crm/contacts', { companyName: 'Acme' })
    const { body } = await as.post(`${contact['@id']}/outcomes`, { result: '/api/crm/last_results/47' })
    expect((await as.post(`${contact['@id']}/undo`, { note: body.note.id })).status).toBe(200)
    expect(await trailOf('Note', body.note.id)).toEqual(['create', 'undo'])
  })
})

const trailOf = (type: string, id: number) =>
  portal.db
    .tx('system', (tx) =>
      tx.rows<{ verb: string }>(
        'SELECT verb FROM audit WHERE client_id = 0 AND type = $1 AND row_id = $2 ORDER BY id',
        [type, id],
      ),
    )
    .then((rows) => rows.map((r) => r.verb))

describe('an automatic note', () => {
  test('an automatic note about an edit can be pinned, but not changed or retired', async () => {
    const { body: contact } = await as.post('/api/crm/contacts', { companyName: 'Acme' })
    await as.put(contact['@id'], { city: 'Leeds' })
    const [note] = await notesOf(contact)
    const iri = String(note?.['@id'])
    for (const change of [{ notes: 'Nothing happened' }, { retired: true }])
      expect((await as.put(iri, change)).status).toBe(403)
    expect((await as.put(iri, { sticky: true })).body).toMatchObject({ sticky: true, notes: 'City: blank → Leeds' })
  })
})
