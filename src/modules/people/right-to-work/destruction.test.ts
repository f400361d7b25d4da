import { expect, onTestFinished, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyClientEvidence } from '#server/evidence/verify.ts'
import { fileStoreFor } from '#server/files/store.ts'
import { withForgery } from '#test/support/forging.ts'
import { testPortal } from '#test/support/portal.ts'
import { RIGHT_TO_WORK as AT, createCheckingCompany } from '#test/support/right-to-work.ts'
import { expectSuccess } from '#test/support/sign-offs.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'

const portal = await testPortal()
const CONFIRM = { confirmed: true }

/** A company with a person who left today, two of whose checks are stored, one corrected, with a copy. */
async function createLeaver() {
  const w = await createCheckingCompany(portal)
  const worker = await w.person({ extCStartDate: w.day(-900) })
  const first = expectSuccess(await w.officer.post(AT.checks, w.check(worker, { checkedOn: w.day(-910) })))
  const correction = { checkedOn: w.day(-905), corrects: first['@id'], correction: 'Day misread' }
  expectSuccess(await w.officer.post(AT.checks, w.check(worker, correction)))
  const form = makeUploadForm(MINIMAL_PDF, 'passport.pdf')
  const copy = expectSuccess(await w.officer.send('POST', `${first['@id']}/files`, form))
  expectSuccess(await w.hr.post(`${worker.iri}/end-employment`, { leavingDate: w.day(0), leavingReason: 'resigned' }))
  const destroy = (who = w.admin, body: Record<string, unknown> = CONFIRM) =>
    who.post(`${AT.status}/${worker.id}/destroy`, body)
  const last = Temporal.PlainDate.from(w.day(0)).add({ years: 2 })
  const retention = Temporal.PlainDate.from(w.day(0)).until(last).days
  return { ...w, worker, first, copy, destroy, retention }
}

test('checks are retained for two years after the employment, then another person confirms their destruction', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createLeaver()
  const colleague = await w.person()
  expect(await w.statusOf(w.hr, w.worker)).toMatchObject({ state: 'retained' })
  const [{ key } = { key: '' }] = await portal.db.tx('system', (tx) =>
    tx.rows<{ key: string }>('SELECT file_key AS key FROM right_to_work_copy WHERE client_id = $1', [w.client.id]),
  )
  await moveClock(portal.engine, w.retention)
  expect((await w.destroy()).status).toBe(409)
  await moveClock(portal.engine, w.retention + 1)
  expect(await w.statusOf(w.hr, w.worker)).toMatchObject({ state: 'toDestroy' })
  await moveClock(portal.engine, 732)
  for (const _ of [1, 2]) await portal.runSchedule('right-to-work.destroy')
  const notices = await portal.db.tx('system', (tx) =>
    tx.rows<{ user: number }>(
      "SELECT user_id AS user FROM notice WHERE client_id = $1 AND kind = 'right-to-work.destroy'",
      [w.client.id],
    ),
  )
  expect(notices).toHaveLength(3)
  expect((await w.statusOf(w.hr, w.worker)).state).toBe('toDestroy')

  expect((await w.destroy(w.officer)).status).toBe(403)
  expect((await w.destroy(colleague.api)).status).toBe(403)
  expect((await w.destroy(w.admin, {})).status).toBe(422)
  const both = await Promise.all([w.destroy(), w.destroy(w.hr)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await portal.drain()
  expect((await w.officer.get(w.first['@id'])).status).toBe(404)
  expect((await w.officer.get(w.copy.url)).status).toBe(404)
  expect(await (await fileStoreFor(portal.engine.config)).exists(key)).toBe(false)
  expect(await w.statusOf(w.hr, w.worker)).toMatchObject({ state: 'destroyed', checkedOn: null })
  const year = Temporal.PlainDate.from(w.day(0)).year
  expect(expectSuccess(await w.admin.get(`${AT.certificates}?employee=${w.worker.id}`))['hydra:member']).toMatchObject([
    {
      number: `RTW-${year}-0001`,
      checks: 2,
      copies: 1,
      author: expect.stringMatching(/./),
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ])
  expect((await w.officer.post(AT.checks, w.check(w.worker, { checkedOn: w.day(-1700) }))).status).toBe(409)
})

test('nothing is destroyed before the person has left, and a person who returns keeps the checks', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createLeaver()
  expectSuccess(await w.hr.post(`${w.worker.iri}/resume-employment`, {}))
  await moveClock(portal.engine, 800)
  expect((await w.destroy()).status).toBe(409)
  expect((await w.statusOf(w.hr, w.worker)).state).toBe('valid')
  const other = await w.person()
  expect((await w.admin.post(`${AT.status}/${other.id}/destroy`, CONFIRM)).status).toBe(409)
})

test('the verification of evidence reports a changed, a removed and an invented certificate', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createLeaver()
  await moveClock(portal.engine, 732)
  expectSuccess(await w.destroy())
  await portal.runSchedule('evidence.heads')
  const verify = async () =>
    (await verifyClientEvidence(portal.engine, w.client.id)).findings.map(({ named, untrue }) => `${named}: ${untrue}`)
  expect(await verify()).toEqual([])
  const forged = (sql: string) => withForgery(portal, w.client.id, (tx) => tx.script(sql), verify)
  const ofClient = `WHERE client_id = ${w.client.id}`
  for (const change of ['checks = 9', 'copies = 0', "author = 'nobody'", "number = 'RTW-1'", "digest = 'ab'"])
    expect(await forged(`UPDATE right_to_work_destruction SET ${change} ${ofClient}`)).not.toEqual([])
  expect(await forged(`DELETE FROM right_to_work_destruction ${ofClient}`)).not.toEqual([])
  expect(
    await forged(
      `INSERT INTO right_to_work_destruction (client_id, number, employee_id, employment_ended_on, checks, copies, digest, author)
       SELECT client_id, 'RTW-2', employee_id, employment_ended_on, checks, copies, digest, author FROM right_to_work_destruction ${ofClient}`,
    ),
  ).not.toEqual([])
  await expect(
    portal.db.tx('system', (tx) => tx.rows(`UPDATE right_to_work_destruction SET checks = 9 ${ofClient}`)),
  ).rejects.toThrow('permission denied')
})

test('the identity of a former employee is erased only after the checks are destroyed', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const w = await createLeaver()
  await moveClock(portal.engine, 4000)
  const report = expectSuccess(await w.hr.get(`${w.worker.iri}/retained-data`))
  expect(report.retained).toContainEqual(
    expect.objectContaining({ data: 'Right-to-work checks', rule: 'Right-to-work check', count: 2 }),
  )
  expect((await w.hr.post(`${w.worker.iri}/erase`, CONFIRM)).status).toBe(409)
  expectSuccess(await w.destroy())
  expectSuccess(await w.hr.post(`${w.worker.iri}/erase`, CONFIRM))
})
