import { expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const made = await makeAssessments(portal)
const { client, author, draft, current } = made
const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
const overtaken = (number: string) =>
  `Revision 2 of ${number} has already been approved: an older revision can’t come into force after it.`
const owner = (sql: string) => portal.db.tx('owner', (tx) => tx.script(sql))

test('only approvers can withdraw a revision in force or set its review date, and the audit chain records both', async () => {
  const paper = await current()
  const withdrawn = { retired: true, decisionNote: 'The job is over' }
  for (const change of [{ reviewDue: '2030-01-01' }, { reviewDue: null }, withdrawn])
    expect((await writer.put(paper['@id'], change)).status).toBe(403)
  expect((await writer.post(`${paper['@id']}/withdraw`, { note: 'The job is over' })).status).toBe(403)
  const unexplained = await author.put(paper['@id'], { retired: true })
  expect([unexplained.status, unexplained.body.violations[0].message]).toEqual([
    422,
    'Please enter a reason for the withdrawal',
  ])
  expect((await author.put(paper['@id'], { reviewDue: '2030-01-01' })).body).toMatchObject({ reviewDue: '2030-01-01' })
  expect((await author.put(paper['@id'], withdrawn)).body).toMatchObject({ ...withdrawn, current: false })
  expect((await author.put(paper['@id'], { decisionNote: 'Otherwise' })).status).toBe(409)
  const seals = await author.get(`/api/safety/seals?document=/api/safety/documents/${paper.id}`)
  const events = seals.body['hydra:member'].map((seal: { event: string }) => seal.event)
  expect(events).toEqual(['withdrawn', 'review moved', 'approved', 'completed'])
})

test('a record states who withdrew, rejected or deleted it or set its review date, and when, until the record is restored', async () => {
  const deputy = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'], username: 'dora.deputy' }))
  const read = async (one: { '@id': string }) => (await author.get(one['@id'])).body
  const at = expect.stringMatching(/^20\d\d-/)
  const stands = { endedBy: null, endedAt: null }
  const ended = { endedBy: 'dora.deputy', endedAt: at }

  const one = await current()
  const { author: approver } = one
  expect(one).toMatchObject({ ...stands, reviewSetBy: approver, reviewSetAt: at })
  await deputy.put(one['@id'], { reviewDue: '2030-01-01' })
  expect(await read(one)).toMatchObject({ ...stands, reviewSetBy: 'dora.deputy' })
  await deputy.post(`${one['@id']}/withdraw`, { note: 'Unsafe' })
  expect(await read(one)).toMatchObject({ ...ended, decisionNote: 'Unsafe' })
  await author.put(one['@id'], { retired: false })
  expect(await read(one)).toMatchObject({ ...stands, current: true })
  await deputy.put(one['@id'], { retired: true, decisionNote: 'Unsafe still' })
  expect(await read(one)).toMatchObject(ended)

  const waits = await made.act(await draft(), 'complete')
  await deputy.post(`${waits['@id']}/reject`, { note: 'Not set' })
  expect(await read(waits)).toMatchObject({ state: 'rejected', ...ended })
  for (const gone of [await draft(), await made.act(await draft(), 'complete')]) {
    await deputy.post(`${ASSESSMENTS_URL}/bulk`, { action: 'retire', ids: [gone.id] })
    expect(await read(gone)).toMatchObject({ retired: true, ...ended })
    await author.patch(gone['@id'], { retired: false })
    expect(await read(gone)).toMatchObject({ retired: false, ...stands })
  }
  expect((await author.put((await draft())['@id'], { endedBy: 'eve', reviewSetBy: 'eve' })).body).toMatchObject({
    endedBy: null,
    reviewSetBy: null,
  })
})

test("an older complete revision can't come into force after a later one", async () => {
  const first = await draft()
  await author.post(`${first['@id']}/complete`)
  const second = (await author.post(`${first['@id']}/revise`, {})).body
  await author.post(`${second['@id']}/complete`)
  expect((await author.post(`${second['@id']}/approve`, {})).body).toMatchObject({ current: true })
  const late = await author.post(`${first['@id']}/approve`, {})
  expect([late.status, late.body.detail]).toEqual([409, overtaken(first.documentNumber)])
  expect((await author.put(first['@id'], { approved: true })).status).toBe(409)
})

test('the later of two complete revisions is in force, whether they are approved in order or concurrently', async () => {
  const pair = async () => {
    const first = await draft()
    await author.post(`${first['@id']}/complete`)
    const second = (await author.post(`${first['@id']}/revise`, {})).body
    await author.post(`${second['@id']}/complete`)
    return [first, second] as const
  }
  const approve = (one: { '@id': string }) => author.post(`${one['@id']}/approve`, {})
  const states = (both: readonly { '@id': string }[]) =>
    Promise.all(both.map(async (one) => (await author.get(one['@id'])).body.state))
  const inOrder = await pair()
  for (const one of inOrder) expect((await approve(one)).status).toBe(200)
  expect(await states(inOrder)).toEqual(['replaced', 'current'])
  for (let n = 0; n < 20; n++) {
    const both = await pair()
    const asked = n % 2 ? both : both.toReversed()
    const answers = await Promise.all(asked.map(approve))
    const [older, later] = n % 2 ? answers : answers.toReversed()
    // The second request waits for the first and sees its result, so the database reports no deadlock.
    const told = older?.status === 200 ? undefined : older?.body.detail
    expect([later?.status, told]).toEqual([200, told && overtaken(both[0].documentNumber)])
    expect(await states(both)).toEqual([told ? 'complete' : 'replaced', 'current'])
  }
})

test("a row can't be moved into or out of a sealed document", async () => {
  const sealed = await current()
  const open = await draft()
  const move = (from: { id: number }, to: { id: number }) =>
    owner(`UPDATE risk_item SET document_id = ${to.id} WHERE document_id = ${from.id}`)
  await expect(move(sealed, open)).rejects.toThrow('stand with it')
  await expect(move(open, sealed)).rejects.toThrow('stand with it')
})
