import { expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import type { ClientSupportMinutes } from './timed-note.ts'

test("a client's support minutes equal the sum of the minutes of its notes in the last 12 months, and link to these notes", async () => {
  const portal = await testPortal()
  const as = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const client = await portal.client({ company: '=Sums & Co' })
  const ids: number[] = []
  for (const minutes of [5, 12, 0]) {
    const { body: lead } = await as.post('/api/crm/contacts', { companyName: 'Spent', client: client.iri })
    const note = await as.post('/api/crm/actions', { contact: lead['@id'], notes: 'x', minutes })
    expect(note.status).toBe(201)
    ids.push(note.body.id)
  }
  const { body: other } = await as.post('/api/crm/contacts', { companyName: 'No client' })
  await as.post('/api/crm/actions', { contact: other['@id'], notes: 'x', minutes: 99 })
  const sums = async () =>
    ((await as.get('/api/crm/support_minutes')).body['hydra:member'] as ClientSupportMinutes[]).find(
      (row) => row.client === client.id,
    )
  expect(await sums()).toEqual(expect.objectContaining({ company: '=Sums & Co', minutes: 17, notes: 2, leads: 2 }))
  const rows = await as.get(`/api/crm/timed_notes?contact.client=${client.id}&minutes[gt]=0&retired=false`)
  expect(rows.body['hydra:totalItems']).toBe(2)
  const file = await as.get('/api/crm/support_minutes/export.csv')
  expect(file.text).toContain(`"${client.id}","'=Sums & Co","17","2","2"`)
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE note SET timestamp = timestamp - interval '13 months' WHERE id = $1", [ids[1]]),
  )
  expect(await sums()).toEqual(expect.objectContaining({ minutes: 5, notes: 1 }))
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await admin.get('/api/crm/support_minutes')).status).toBe(403)
})
