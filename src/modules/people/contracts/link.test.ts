import { expect, onTestFinished, test } from 'vitest'
import { createSystemActor } from '#kernel/roles.ts'
import { emailAccepted } from '#modules/portal/mail/letter.ts'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { CONTRACTS, createContractCompany, TYPED } from '#test/support/contracts.ts'
import { grantPacks, testPortal } from '#test/support/portal.ts'
import { contractSecretLink } from './deliver.server.ts'

const portal = await testPortal()
const anyone = portal.anonymous

async function world() {
  const company = await createContractCompany(portal)
  const of = await company.addEmployee({ forename: 'Sam', surname: 'Reed', email: 'sam@reed.example' })
  const sent = await company.send(of)
  return { ...company, of, sent, at: await company.linkOf(sent) }
}

const signAt = (at: string, digest: string, more: object = {}) =>
  anyone.post(`${at}/sign`, { digest, signature: { ...TYPED, name: 'Sam Reed' }, ...more })

const mailsTo = (clientId: number, to: string) =>
  portal.db.tx('system', (tx) =>
    tx.rows<{ template: string }>('SELECT template FROM message WHERE client_id = $1 AND recipient = $2 ORDER BY id', [
      clientId,
      to,
    ]),
  )

test('an employee without an account opens, reads and signs by link, and gets the PDF by link once it is countersigned', async () => {
  const { client, hr, boss, sent, at, sign } = await world()
  expect(sent).toMatchObject({ state: 'sending', email: 'sam@reed.example', emailedAt: null })
  const { body: seen } = await anyone.get(at)
  expect(seen).toMatchObject({
    sentence: '',
    contract: { number: 'EC-0001', employeeName: 'Sam Reed', body: sent.body, digest: sent.digest, signedAt: null },
  })
  expect((await anyone.post(`${at}/opened`, {})).status).toBe(200)
  expect((await hr.get(sent['@id'])).body.state).toBe('opened')
  expect((await signAt(at, 'c'.repeat(64))).status).toBe(409)
  const answers = await Promise.all(Array.from({ length: 5 }, () => signAt(at, sent.digest)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  const signed = (await hr.get(sent['@id'])).body
  expect(signed.signature).toMatchObject({ name: 'Sam Reed', username: '', email: 'sam@reed.example' })
  expect((await anyone.get(`${at}/contract.pdf`)).status).toBe(409)
  expect((await sign(boss.api, sent, 'countersign')).status).toBe(200)
  await portal.drain()
  expect((await anyone.get(at)).body.contract.state).toBe('complete')
  expect((await anyone.get(`${at}/contract.pdf`)).headers['content-type']).toBe('application/pdf')
  expect(await mailsTo(client.id, 'sam@reed.example')).toEqual([
    { template: 'employee.contract' },
    { template: 'employee.contract-complete' },
  ])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('“sent” is stated only once a mail server has accepted the e-mail', async () => {
  const { client, hr, sent } = await world()
  const accepted = { about: sent['@id'], template: 'employee.contract', sentAt: '2026-11-30T10:00:00Z' }
  await portal.engine.inTenant(
    client.id,
    { actor: createSystemActor(client.id, 'test'), requestId: 'test' },
    async (c) => {
      await c.emit(emailAccepted, accepted as never)
      return () => undefined
    },
  )
  await portal.drain()
  expect((await hr.get(sent['@id'])).body).toMatchObject({ state: 'sent', emailedAt: '2026-11-30T10:00:00+00:00' })
})

test('an employee declines by link with a reason, once', async () => {
  const { client, hr, sent, at } = await world()
  expect((await anyone.post(`${at}/decline`, { reason: ' ' })).status).toBe(422)
  expect((await anyone.post(`${at}/decline`, { reason: 'I work elsewhere' })).body.sentence).toContain(
    'You have declined',
  )
  expect((await hr.get(sent['@id'])).body).toMatchObject({
    state: 'declined',
    reason: 'I work elsewhere',
    endedBy: 'by link',
  })
  expect((await signAt(at, sent.digest)).status).toBe(410)
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a link shows and signs nothing after cancelling, the last day, leaving, or the end of the product', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const worlds = [await world(), await world(), await world(), await world()] as const
  const [cancelled, expired, left, lapsed] = worlds
  await cancelled.hr.post(`${cancelled.sent['@id']}/cancel`, { reason: 'Wrong text' })
  await left.admin.post(`${left.of['@id']}/end-employment`, { leavingDate: '2026-01-05', leavingReason: 'resigned' })
  await portal.db.tx('system', (tx) => grantPacks(tx, lapsed.client.id, [], ['employees']))
  const check = async ({ at, sent }: (typeof worlds)[number], words: string) => {
    const { body } = await anyone.get(at)
    expect([body.sentence, body.contract]).toEqual([expect.stringContaining(words), undefined])
    for (const answer of [
      await signAt(at, sent.digest),
      await anyone.post(`${at}/opened`, {}),
      await anyone.post(`${at}/decline`, { reason: 'x' }),
      await anyone.get(`${at}/contract.pdf`),
    ])
      expect(answer.status).toBe(410)
  }
  await check(cancelled, 'withdrawn')
  await check(left, 'can’t receive signatures')
  await check(lapsed, 'can’t receive signatures')
  await moveClock(portal.engine, 15)
  await check(expired, 'last day')
  expect(
    await contractSecretLink.make(portal.engine, cancelled.client.id, { contract: cancelled.sent.id }),
  ).toBeUndefined()
})

test('sending again ends earlier links, moves the last day, and uses the present address; an unknown link answers 404', async () => {
  const { hr, admin, of, sent, at, linkOf } = await world()
  await admin.patch(of['@id'], { email: 'sam.new@reed.example' })
  const again = await hr.post(`${sent['@id']}/resend`, { days: 30 })
  expect([again.status, again.body.email, again.body.signUntil > sent.signUntil]).toEqual([
    200,
    'sam.new@reed.example',
    true,
  ])
  expect((await anyone.get(at)).status).toBe(404)
  const next = await linkOf(sent)
  expect((await anyone.get(next)).status).toBe(200)
  expect((await anyone.get(`${next.slice(0, -1)}${next.endsWith('x') ? 'y' : 'x'}`)).status).toBe(404)
  expect((await anyone.get(next.replace(/-\d+-/, '-999999-'))).status).toBe(404)
})

test('e-mails beyond the daily limit wait, and are sent on the next day', async () => {
  onTestFinished(() => moveClock(portal.engine, 0))
  const { client, hr, addEmployee, boss, mailing, saved } = await createContractCompany(portal)
  await portal.db.tx('system', (tx) => tx.rows('UPDATE client SET letters_per_day = 1 WHERE id = $1', [client.id]))
  for (const n of [1, 2]) await addEmployee({ email: `worker${n}@firm.example` })
  const { body } = await hr.post(CONTRACTS.preview, mailing())
  expect([body.emailsToday, (body.rows as { problem: string }[]).filter(({ problem }) => !problem).length]).toEqual([
    1, 3,
  ])
  await saved(hr, CONTRACTS.mailings, mailing())
  await portal.drain()
  const waiting = () =>
    portal.db.tx('system', (tx) =>
      tx.rows('SELECT id FROM employment_contract WHERE client_id = $1 AND queued_at IS NULL AND email <> $2', [
        client.id,
        '',
      ]),
    )
  expect(await waiting()).toHaveLength(1)
  await portal.runSchedule('contract.send-waiting')
  expect(await waiting()).toHaveLength(1)
  await moveClock(portal.engine, 1)
  await portal.runSchedule('contract.send-waiting')
  expect(await waiting()).toHaveLength(0)
  expect(boss.id).toBeGreaterThan(0)
})
