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
