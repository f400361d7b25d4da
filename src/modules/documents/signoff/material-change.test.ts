import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, worker, draft, current } = await makeAssessments(portal)
const sql = <T>(text: string, values: readonly unknown[]) => portal.db.tx('system', (tx) => tx.rows<T>(text, values))

const completeNext = async (before: { '@id': string }) => {
  const next = (await author.post(`${before['@id']}/revise`, { reason: 'New ladder' })).body
  expect((await author.post(`${next['@id']}/complete`)).status).toBe(200)
  return next
}

test("the approver sets a revision's change category, which is material by default", async () => {
  const first = await current()
  expect(first.change).toBe('material')
  const minor = await completeNext(first)
  expect((await author.post(`${minor['@id']}/approve`, { change: 'tiny' })).status).toBe(422)
  expect((await author.post(`${minor['@id']}/approve`, { change: 'minor' })).body.change).toBe('minor')
  const next = await completeNext(minor)
  expect((await author.put(next['@id'], { approved: true, change: 'minor' })).body).toMatchObject({
    state: 'current',
    change: 'material',
  })
  expect((await worker.get(next['@id'])).body.change).toBe('material')
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test("the first revision in force can't be a minor change", async () => {
  const made = await draft()
  await author.post(`${made['@id']}/complete`)
  const refused = await author.post(`${made['@id']}/approve`, { change: 'minor' })
  expect([refused.status, refused.body.violations]).toEqual([
    422,
    [
      expect.objectContaining({
        propertyPath: 'change',
        message: expect.stringContaining('the first revision to be approved'),
      }),
    ],
  ])
  expect((await author.get(made['@id'])).body.state).toBe('complete')
  // A rejected revision was never in force.
  await author.post(`${made['@id']}/reject`, { note: 'No' })
  const second = await completeNext(made)
  expect((await author.post(`${second['@id']}/approve`, { change: 'minor' })).status).toBe(422)
})

test('the database rejects a new change category after approval', async () => {
  const made = await current()
  const set = (change: string | null, id: number) =>
    sql('UPDATE document SET change = $3 WHERE client_id = $1 AND id = $2', [client.id, id, change])
  await expect(set('minor', made.id)).rejects.toThrow('what an approval said of a change stands')
  await expect(set(null, made.id)).rejects.toThrow('stands')
  const next = await completeNext(made)
  await expect(set('minor', next.id)).rejects.toThrow('stands')
})
