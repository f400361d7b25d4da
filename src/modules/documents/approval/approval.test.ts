import { expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments, makeCompleteAssessment } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

test("authors can't approve their own documents by any route if the company forbids self-approval", async () => {
  const { client, author, worker, draft } = await makeAssessments(await testPortal())
  const second = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN'] }))
  const waiting = async () => (await author.post(`${(await draft())['@id']}/complete`)).body
  expect((await author.post(`${(await waiting())['@id']}/approve`, {})).status).toBe(200)

  await worker.put(client.iri, { forbidSelfApproval: true })
  expect((await author.get(client.iri)).body.forbidSelfApproval).toBe(false)
  expect((await author.put(client.iri, { forbidSelfApproval: true })).body.forbidSelfApproval).toBe(true)
  const made = await waiting()
  const begun = await draft()
  for (const answer of [
    await author.post(`${made['@id']}/approve`, {}),
    await author.put(made['@id'], { approved: true }),
    await author.put(begun['@id'], { complete: true, approved: true }),
    await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ complete: true, approved: true })),
  ])
    expect([answer.status, answer.body['hydra:description']]).toEqual([
      403,
      expect.stringContaining('requires a second person to approve'),
    ])
  expect((await second.post(`${made['@id']}/approve`, {})).body).toMatchObject({ current: true })
  // A user who completed another author's draft can't approve it either.
  await second.post(`${begun['@id']}/complete`)
  expect((await second.post(`${begun['@id']}/approve`, {})).status).toBe(403)
  expect((await author.post(`${begun['@id']}/approve`, {})).status).toBe(403)
})

test("approvers can forbid self-approval in the company's settings, which all its users can read", async () => {
  const portal = await testPortal()
  const { client, author, worker, draft } = await makeAssessments(portal)
  const safety = client.as(await client.user({ roles: ['ROLE_SAFETY_ADMIN'], name: 'Sam Second' }))
  const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  const settings = `/api/safety/settings/${client.id}`
  expect((await safety.get(settings)).body.forbidSelfApproval).toBe(false)
  for (const as of [worker, writer]) expect((await as.put(settings, { forbidSelfApproval: true })).status).toBe(403)
  expect((await safety.put(settings, { forbidSelfApproval: true, company: 'Another' })).body).toMatchObject({
    forbidSelfApproval: true,
    company: 'Lifecycle Ltd',
  })
  expect((await worker.get(settings)).body.forbidSelfApproval).toBe(true)
  expect((await author.get(client.iri)).body).toMatchObject({ forbidSelfApproval: true })
  const made = (await safety.post(`${(await draft())['@id']}/complete`)).body
  expect((await safety.post(`${made['@id']}/approve`, {})).status).toBe(403)
  expect((await author.get(`/api/safety/settings/${(await portal.client()).id}`)).status).toBe(404)

  const approvers = (await writer.get(`${settings}/approvers`)).body['hydra:member'] as { name: string }[]
  expect(approvers.map((p) => p.name)).toEqual(['Ada Admin', 'Sam Second'])
  expect((await worker.get(`${settings}/approvers`)).status).toBe(403)
})

test("a draft can't be completed if it has changed since it was checked", async () => {
  const { author, draft } = await makeAssessments(await testPortal())
  const made = await draft()
  const seen = (await author.get(made['@id'])).headers.etag as string
  await author.put(made['@id'], { location: 'Elsewhere' })
  const complete = (etag: string) => author.post(`${made['@id']}/complete`, {}, { 'if-match': etag })
  expect((await complete(seen)).status).toBe(412)
  const now = (await author.get(made['@id'])).headers.etag as string
  expect((await complete(now)).body).toMatchObject({ state: 'complete' })
})
