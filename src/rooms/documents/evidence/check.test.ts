import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { whileForged } from '#test/support/forging.ts'
import { lettersOf } from '#test/support/letters.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, worker, current } = await makeAssessments(portal)
const check = () => portal.runSchedule('evidence.check')
const letters = () => lettersOf(portal, client.id)
const findings = async () => (await author.get('/api/safety/evidence_findings')).body['hydra:member']

test('the night’s check writes down what it found, and tells those who administer the client once', async () => {
  const made = await current()
  await check()
  const checks = async () => (await author.get('/api/safety/evidence_checks')).body['hydra:member']
  expect(await checks()).toMatchObject([{ entries: 2, findings: 0 }])
  expect([await findings(), await letters()]).toEqual([[], []])

  const sentence = 'RA-0001 revision 1: its approver is "eve", but'
  const forge = `UPDATE document SET approved_by = 'eve' WHERE id = ${made.id}`
  const twice = async () => {
    await check()
    await check()
  }
  await whileForged(portal, client.id, (tx) => tx.script(forge), twice)
  expect((await checks()).map((c: { findings: number }) => c.findings)).toEqual([1, 1, 0])
  expect(await findings()).toMatchObject([
    { sentence: expect.stringContaining(sentence), subjectId: made.id, gone: false },
  ])
  expect(await letters()).toEqual([
    expect.objectContaining({
      to: 'ada@firm.example',
      subject: 'Sealed records have been changed',
      body: expect.stringContaining(sentence),
    }),
  ])
  expect((await worker.get('/api/safety/evidence_findings')).status).toBe(403)

  await check()
  expect(await findings()).toMatchObject([{ gone: true }])
  await whileForged(portal, client.id, (tx) => tx.script(forge), check)
  expect(await letters()).toHaveLength(2)
})
