import { expect, test } from 'vitest'
import { complete, LIST, makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

test('a company may have documents approved by another person than their author, by every door', async () => {
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
    await author.post(LIST, complete({ complete: true, approved: true })),
  ])
    expect([answer.status, answer.body['hydra:description']]).toEqual([403, expect.stringContaining('somebody else')])
  expect((await second.post(`${made['@id']}/approve`, {})).body).toMatchObject({ current: true })
  // Who completes another's draft is not the one who approves it either.
  await second.post(`${begun['@id']}/complete`)
  expect((await second.post(`${begun['@id']}/approve`, {})).status).toBe(403)
  expect((await author.post(`${begun['@id']}/approve`, {})).status).toBe(403)
})
