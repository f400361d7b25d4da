import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { author, worker, draft } = await makeAssessments(portal)

const strokes = {
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.2],
      [0.4, 0.8],
    ],
  ],
}

test('a signature is of a revision that the signer may read, once for each name, by finger, typed or on behalf', async () => {
  const made = await draft()
  const document = `/api/safety/documents/${made.id}`
  const sign = (more: Record<string, unknown>) => worker.post('/api/safety/signatures', { document, ...more })
  const early = await author.post('/api/safety/signatures', { document, name: 'Ada', method: 'typed' })
  expect(early.status).toBe(409)
  expect((await sign({ name: 'Will Worker', method: 'typed' })).status).toBe(400)
  await author.post(`${made['@id']}/complete`)
  await author.post(`${made['@id']}/approve`, {})
  expect((await sign({ name: 'Will Worker', method: 'finger' })).status).toBe(422)
  const signed = await sign({ name: 'Will Worker', method: 'finger', strokes, mine: true })
  expect([signed.status, signed.text]).toEqual([201, expect.stringContaining('finger')])
  expect(signed.body).toMatchObject({ seal: expect.stringMatching(/^[0-9a-f]{64}$/), user: expect.any(Number) })
  const again = await sign({ name: 'will worker', method: 'typed' })
  expect([again.status, again.body.violations[0].code]).toEqual([422, 'duplicate'])
  expect((await sign({ name: 'Pat', method: 'on behalf' })).status).toBe(422)
  expect((await sign({ name: 'Pat', method: 'on behalf', byName: 'Ada Admin' })).body).toMatchObject({
    byName: 'Ada Admin',
  })
  expect((await author.get(made['@id'])).body.signatures).toBe(2)
})

test('nobody signs in the name of a person whom they work as', async () => {
  const made = await draft()
  await author.post(`${made['@id']}/complete`)
  await author.post(`${made['@id']}/approve`, {})
  const { username, client, name } = (await worker.get('/api/security/user_check')).body
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const visit = await staff.get(`/api/security/user/switch?username=${username}&client=${client.id}`)
  const visitor = portal.bearing(visit.body.token)
  expect((await visitor.post('/api/security/user/write', { reason: 'They asked for help' })).status).toBe(200)
  const sign = (more: Record<string, unknown>) =>
    visitor.post('/api/safety/signatures', { document: `/api/safety/documents/${made.id}`, method: 'typed', ...more })
  for (const answer of [
    await sign({ name }),
    await sign({ name: name.toUpperCase() }),
    await sign({ name: 'Sam', mine: true }),
  ])
    expect([answer.status, answer.body.detail]).toEqual([
      403,
      'Nobody signs in the name of a person whom they only work as.',
    ])
  expect((await sign({ name: 'Pat' })).status).toBe(201)
})
