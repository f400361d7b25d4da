import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, draft, current } = await makeAssessments(portal)
const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
const owner = (sql: string) => portal.db.tx('owner', (tx) => tx.script(sql))

test('who approves says for how long, and until when, a revision is in force; both are links of the chain', async () => {
  const made = await current()
  for (const change of [{ reviewDue: '2030-01-01' }, { reviewDue: null }, { retired: true }])
    expect((await writer.put(made['@id'], change)).status).toBe(403)
  expect((await author.put(made['@id'], { reviewDue: '2030-01-01' })).body).toMatchObject({ reviewDue: '2030-01-01' })
  expect((await author.put(made['@id'], { retired: true })).body).toMatchObject({ retired: true, current: false })
  const seals = await author.get(`/api/safety/seals?document=/api/safety/documents/${made.id}`)
  const events = seals.body['hydra:member'].map((seal: { event: string }) => seal.event)
  expect(events).toEqual(['withdrawn', 'review moved', 'approved', 'completed'])
})

test('of two complete revisions the older one is not put in force after the later one', async () => {
  const first = await draft()
  await author.post(`${first['@id']}/complete`)
  const second = (await author.post(`${first['@id']}/revise`, {})).body
  await author.post(`${second['@id']}/complete`)
  expect((await author.post(`${second['@id']}/approve`, {})).body).toMatchObject({ current: true })
  const late = await author.post(`${first['@id']}/approve`, {})
  expect([late.status, late.body.detail]).toEqual([
    409,
    `Revision 2 of ${first.documentNumber} has been approved already: an older one is not put in force after it.`,
  ])
  expect((await author.put(first['@id'], { approved: true })).status).toBe(409)
})

test('a line is moved neither out of a sealed document nor into one', async () => {
  const sealed = await current()
  const open = await draft()
  const move = (from: { id: number }, to: { id: number }) =>
    owner(`UPDATE risk_item SET document_id = ${to.id} WHERE document_id = ${from.id}`)
  await expect(move(sealed, open)).rejects.toThrow('stand with it')
  await expect(move(open, sealed)).rejects.toThrow('stand with it')
})
