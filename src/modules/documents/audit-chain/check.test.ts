import { afterAll, expect, test } from 'vitest'
import { startMailServer } from '#test/e2e/support/letters.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { withForgery } from '#test/support/forging.ts'
import { testPortal } from '#test/support/portal.ts'

const post = await startMailServer()
afterAll(() => post.close())
const portal = await (await testPortal()).with({ SMTP_URL: post.address, PUBLIC_URL: 'https://portal.example' })
const { client, worker, current } = await makeAssessments(portal)
const boss = `boss@c${client.id}.example`
const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], email: boss }))

const check = () => portal.runSchedule('evidence.check')
const members = async (path: string) => (await admin.get(`/api/safety/${path}`)).body['hydra:member']
/** Returns the findings that the dashboard shows. */
const shown = async () =>
  (await members('evidence_findings?gone=false')).map((finding: { sentence: string }) => finding.sentence)
/** Returns the e-mails sent to the administrator. */
const arrived = async () => {
  await portal.drain()
  return post.letters.filter((letter) => letter.to === boss).map(({ text }) => text)
}
const whileChanged = (sql: string, look: () => Promise<void>) =>
  withForgery(portal, client.id, (tx) => tx.script(sql), look)

test("the nightly audit-chain check saves and shows the problems it finds, and e-mails them once to the client's administrators", async () => {
  const made = await current()
  await portal.drain()
  await check()
  const [{ entries, findings }] = await members('evidence_checks')
  expect([entries, findings, await shown(), await arrived()]).toEqual([3, 0, [], []])

  const sentence = `RA-0001 revision 1: its approver is "eve", but "${made.authorUsername}" was sealed by entry 2 ("approved").`
  const forge = `UPDATE document SET approved_by = 'eve' WHERE id = ${made.id}`
  await whileChanged(forge, async () => {
    await check()
    await check()
  })
  expect((await members('evidence_checks')).map((c: { findings: number }) => c.findings)).toEqual([1, 1, 0])
  expect(await shown()).toEqual([sentence])
  expect(await arrived()).toEqual([expect.stringContaining('Subject: Sealed records have been changed')])
  for (const words of [`- ${sentence}`, 'https://portal.example/dashboard'])
    expect((await arrived())[0]).toContain(words)
  expect((await worker.get('/api/safety/evidence_findings')).status).toBe(403)

  await check()
  expect(await shown()).toEqual([])
  await whileChanged(forge, check)
  expect(await arrived()).toHaveLength(2)
})

test('the nightly check detects a truncated audit chain from the signed head stored outside the database', async () => {
  await portal.runSchedule('evidence.heads')
  const before = (await arrived()).length
  const heads = 'DELETE FROM seal_head WHERE client_id ='
  const cut = `DELETE FROM seal WHERE client_id = ${client.id} AND place = 3; ${heads} ${client.id}`
  await whileChanged(cut, async () => {
    await check()
    await check()
  })
  const told = (await arrived()).slice(before)
  expect(told).toEqual([expect.stringMatching(/The signed head of 3 entries: .* the chain ends with entry 2/s)])
  expect((await shown()).join()).toContain('The signed head of 3 entries')
})
