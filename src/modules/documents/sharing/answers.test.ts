import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { type AssessmentHelpers, type CreatedDocument, makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { documentApiUrl } from '#test/support/sign-offs.ts'
import { packSecretLink } from './email-links.server.ts'

const PACKS = '/api/safety/rams_packs'
const BY = { name: 'Ann Carter', company: 'Northern Build', position: 'Site manager' }

let portal: TestPortal
let firm: AssessmentHelpers
let author: TestApi

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const in30Days = () => Temporal.Now.plainDateISO('Europe/London').add({ days: 30 }).toString()
const act = async (one: { readonly '@id': string }, action: string, body = {}) =>
  ok(await author.post(`${one['@id']}/${action}`, body))
const said = ({ status, body }: TestResponse) => [status, body['hydra:description']]

/** Creates a pack in force with one document, and a link to it. */
async function makeShared(more = {}) {
  const paper: CreatedDocument = await firm.current()
  const papers = [{ target: documentApiUrl(paper), notes: '' }]
  const body = { description: 'Re-roofing Unit 4', location: 'Unit 4', supervisor: 'Ann', papers, ...more }
  const pack: CreatedDocument = await act(await act(ok(await author.post(PACKS, body), 201), 'complete'), 'approve')
  return { paper, pack, ...(await shareByLink(pack)) }
}

async function shareByLink(pack: { readonly id: number }) {
  const link = ok(
    await author.post(`/api/safety/documents/${pack.id}/links`, { called: 'Northern Build', until: in30Days() }),
  )
  return { link, at: `/api/safety/shared_packs/${link.address.split('/pack/')[1]}` }
}
const open = async (at: string) => ok(await portal.anonymous.post(`${at}/opened`, {}))
const opened = (paper: { readonly id: number }) => [{ part: documentApiUrl(paper), seconds: 86_400 }]
const answer = (at: string, more = {}, as = portal.anonymous) =>
  as.post(`${at}/answer`, { decision: 'accepted', ...BY, ...more })
const answersTo = async ({ id }: { readonly id: number }) =>
  ok(await author.get(`/api/safety/pack_answers?document=/api/safety/documents/${id}`))['hydra:member']

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
  author = firm.author
})

describe('the recipient of a pack', () => {
  test('the recipient reads every document of the pack in place, and nothing else of the company', async () => {
    const { at, pack, paper } = await makeShared()
    const parts = ok(await portal.anonymous.get(`${at}/parts`))['hydra:member']
    expect(parts).toMatchObject([
      { '@id': documentApiUrl(paper), name: `${paper.documentNumber} revision 1`, readable: true },
    ])
    for (const { id } of [pack, paper]) {
      const { record, form } = ok(await portal.anonymous.get(`${at}/parts/${id}`))
      expect([record.id, form.schema.title, record.author]).toEqual([id, expect.any(String), 'Ada Admin'])
      expect([record.location, record.seal, record.decisionNote]).toEqual(['Unit 4', undefined, undefined])
    }
    const other = await firm.current()
    expect((await portal.anonymous.get(`${at}/parts/${other.id}`)).status).toBe(404)
    expect((await portal.anonymous.get(`${at}/files/1`)).status).toBe(404)
    for (const then of ['/parts', `/parts/${pack.id}`, '/files/1/file'])
      expect((await portal.anonymous.get(`${at}x${then}`)).status).toBe(404)
  })

  test('an answer states the revision and seal of the pack, is sealed, and notifies the sender', async () => {
    const { at, link, pack, paper } = await makeShared()
    await open(at)
    const comment = 'Add <b>the</b> rescue plan\nfor Unit 4'
    const { pack: after } = ok(await answer(at, { decision: 'accepted with comments', comment, opened: opened(paper) }))
    expect(after.answers).toMatchObject([{ decision: 'accepted with comments', comment, revision: 1 }])
    const { seal } = ok(await author.get(pack['@id']))
    const [given] = await answersTo(pack)
    const part = {
      part: documentApiUrl(paper),
      name: `${paper.documentNumber} revision 1`,
      seconds: expect.any(Number),
    }
    expect(given).toMatchObject({
      ...BY,
      comment,
      revision: 1,
      digest: seal,
      opened: [part],
      place: 1,
      link: link['@id'],
    })
    expect(given.opened[0].seconds).toBeLessThan(3600)
    const seals = ok(await author.get(`/api/safety/seals?document=${documentApiUrl(pack)}`))['hydra:member']
    expect(seals[0]).toMatchObject({ event: 'answered' })
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
    await portal.drain()
    const inbox = (await author.get('/api/portal/notices/inbox')).body['hydra:member']
    expect(inbox.map((n: { words: string }) => n.words)).toContain(
      `Northern Build has accepted with comments ${pack.documentNumber} Re-roofing Unit 4`,
    )
    expect((await author.put(given['@id'], { decision: 'rejected' })).status).toBe(405)
    expect((await author.delete(given['@id'])).status).toBe(405)
  })

  test('a pack can be accepted only after it was opened and every document in it was read to the end', async () => {
    const { at, paper, pack } = await makeShared()
    expect(said(await answer(at, { opened: opened(paper) }))).toEqual([
      409,
      'Please open the pack and read it before you answer.',
    ])
    await open(at)
    const unread = await answer(at)
    expect([unread.status, unread.body.violations?.[0]]).toMatchObject([
      422,
      {
        propertyPath: 'opened',
        message: `Please open ${paper.documentNumber} revision 1 and read to the end before you accept`,
      },
    ])
    const other = await firm.current()
    expect((await answer(at, { opened: opened(other) })).status).toBe(422)
    expect(await answersTo(pack)).toEqual([])
    ok(await answer(at, { decision: 'rejected', comment: 'Wrong building' }))
  })

  test('an answer can be changed until the pack is replaced, and every answer is retained', async () => {
    const { at, pack, paper } = await makeShared()
    await open(at)
    ok(await answer(at, { decision: 'rejected', comment: 'No rescue plan' }))
    ok(await answer(at, { opened: opened(paper), after: 1 }))
    expect((await answersTo(pack)).map((a: { decision: string }) => a.decision)).toEqual(['accepted', 'rejected'])
    await act(await act(await act(pack, 'revise'), 'complete'), 'approve')
    expect(said(await answer(at, { opened: opened(paper), after: 2 }))).toEqual([
      410,
      expect.stringContaining(`${pack.documentNumber} revision 1 has been replaced`),
    ])
    expect(await answersTo(pack)).toHaveLength(2)
  })

  test('if two answers arrive at the same moment, one is saved and the other is refused', async () => {
    const { at, pack } = await makeShared()
    await open(at)
    const both = await Promise.all(['One', 'Two'].map((comment) => answer(at, { decision: 'rejected', comment })))
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await answersTo(pack)).toHaveLength(1)
  })
})

describe('an answer is refused', () => {
  test('an answer with a withdrawn, expired or altered link is refused', async () => {
    const { at, link, paper } = await makeShared()
    await open(at)
    expect((await answer(at.slice(0, -1), { opened: opened(paper) })).status).toBe(404)
    ok(await author.post(`${link['@id']}/withdraw`, {}))
    expect((await answer(at, { opened: opened(paper) })).status).toBe(410)
    const old = await makeShared()
    await open(old.at)
    await portal.engine.db.tx('system', (tx) =>
      tx.rows("UPDATE pack_link SET until = '2020-01-01' WHERE id = $1", [old.link.id]),
    )
    expect((await answer(old.at, { opened: opened(old.paper) })).status).toBe(410)
  })

  test.each([
    [{ name: ' ' }, 'name'],
    [{ company: '' }, 'company'],
    [{ position: '' }, 'position'],
    [{ company: 'x'.repeat(101) }, 'company'],
    [{ decision: 'accepted with comments' }, 'comment'],
    [{ decision: 'rejected', comment: ' \u200b ' }, 'comment'],
    [{ decision: 'rejected', comment: 'x'.repeat(5000) }, 'comment'],
  ])('the answer %j is refused with an error for that field', async (more, field) => {
    const { at } = await shareByLink(await packInForce())
    await open(at)
    const { status, body } = await answer(at, more)
    expect([status, body.violations?.map((v: { propertyPath: string }) => v.propertyPath)]).toEqual([422, [field]])
  })

  test.each([[{ decision: 'perhaps' }], [{ comment: 7 }], [{ opened: 'all' }]])(
    'the answer %j is refused, as a value has the wrong type',
    async (more) => {
      const { at } = await shareByLink(await packInForce())
      await open(at)
      expect([400, 422]).toContain((await answer(at, more)).status)
    },
  )

  test('people of the company can’t answer with the link that they sent', async () => {
    const { at } = await shareByLink(await packInForce())
    await open(at)
    expect((await answer(at, { decision: 'rejected', comment: 'No' }, author)).status).toBe(409)
  })

  test('an answer in the name of an account of the company is refused, and such attempts are limited', async () => {
    const { at, pack } = await makeShared()
    await open(at)
    const given = { decision: 'rejected', comment: 'Wrong building' }
    const { name, username } = ok(await firm.worker.get('/api/security/user_check'))
    const lookAlikes = [`${name}.`, name.replace(/\s/g, ''), name.replaceAll('a', 'а')]
    for (const taken of [name, name.toLowerCase(), username, ...lookAlikes]) {
      const { status, body } = await answer(at, { ...given, name: taken })
      expect([taken, status, body.violations?.[0]]).toMatchObject([
        taken,
        422,
        { propertyPath: 'name', message: expect.stringContaining('Somebody with this name has an account at') },
      ])
    }
    const statuses = new Set<number>()
    for (let i = 0; i < 30; i++) statuses.add((await answer(at, { ...given, name })).status)
    expect(statuses).toEqual(new Set([422, 429]))
    expect(await answersTo(pack)).toEqual([])
    await portal.db.tx('system', (tx) => tx.rows("DELETE FROM attempt WHERE key LIKE 'pack-link-names:%'"))
    ok(await answer(at, { ...given, name: `${name} (Northern Build)` }))
  })

  let made: Promise<CreatedDocument> | undefined
  const packInForce = () => {
    made ??= makeShared().then(({ pack }) => pack)
    return made
  }
})

test('a recipient of a replaced pack is led to the current revision only if it was shared with them too', async () => {
  const { pack } = await makeShared()
  const send = (of: { readonly id: number }) =>
    author.post(`/api/safety/documents/${of.id}/emailed_links`, {
      recipients: [{ name: 'Ann Carter', company: 'Northern Build', email: 'ann@northern.example' }],
      until: in30Days(),
    })
  ok(await send(pack))
  const [link] = ok(await author.get(`/api/safety/pack_links?document=${documentApiUrl(pack)}`))['hydra:member'].filter(
    ({ email }: { email: string }) => email,
  )
  const token = (await packSecretLink.make(portal.engine, firm.client.id, { link: link.id }))?.split('/pack/')[1]
  const at = `/api/safety/shared_packs/${token}`
  const next = await act(await act(await act(pack, 'revise'), 'complete'), 'approve')
  const before = ok(await portal.anonymous.get(at))
  expect([before.newer, before.sentence]).toEqual([undefined, expect.stringContaining('has been replaced')])
  expect((await portal.anonymous.post(`${at}/newer`, {})).status).toBe(404)
  ok(await send(next))
  expect(ok(await portal.anonymous.get(at)).newer).toEqual({ number: pack.documentNumber, revision: 2 })
  const { address } = ok(await portal.anonymous.post(`${at}/newer`, {}))
  const led = ok(await portal.anonymous.get(`/api/safety/shared_packs/${address.split('/pack/')[1]}`))
  expect([led.sentence, led.pack.revision]).toEqual(['', 2])
})

test('an e-mailed link answers in the name and company of its recipient only', async () => {
  const { pack, paper } = await makeShared()
  const recipients = ['Pat One', 'Sue Two'].map((name, i) => ({
    name,
    company: `${name} Ltd`,
    email: `pack-${i}@north.example`,
  }))
  ok(await author.post(`/api/safety/documents/${pack.id}/emailed_links`, { recipients, until: in30Days() }))
  const links = ok(await author.get(`/api/safety/pack_links?document=${documentApiUrl(pack)}`))['hydra:member']
  const link = links.find(({ person }: { person: string }) => person === 'Pat One')
  const token = (await packSecretLink.make(portal.engine, firm.client.id, { link: link.id }))?.split('/pack/')[1]
  const at = `/api/safety/shared_packs/${token}`
  await open(at)
  const [pat, sue] = recipients.map(({ name, company }) => ({ name, company }))
  for (const [by, field] of [
    [{ ...pat, name: 'Sue Two' }, 'name'],
    [{ ...pat, name: 'Pat One, Sue Two' }, 'name'],
    [{ ...pat, company: sue?.company }, 'company'],
  ] as const) {
    const { status, body } = await answer(at, { ...by, opened: opened(paper) })
    expect([status, body.violations?.map((v: { propertyPath: string }) => v.propertyPath)]).toEqual([422, [field]])
  }
  ok(await answer(at, { name: ' pat  one ', company: 'PAT ONE LTD', opened: opened(paper) }))
  expect(await answersTo(pack)).toMatchObject([pat])
})

test('staff who impersonate a user can neither share a pack nor answer with a link', async () => {
  const { at, pack, link } = await makeShared()
  await open(at)
  const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
  const { username } = (await author.get('/api/security/user_check')).body
  const visit = await staff.get(`/api/security/user/switch?username=${username}&client=${firm.client.id}`)
  const visitor = portal.bearing(visit.body.token)
  ok(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
  const recipients = [{ name: 'Ann Carter', company: 'Northern Build', email: 'ann@northern.example' }]
  for (const refused of [
    await answer(at, { decision: 'rejected', comment: 'No' }, visitor),
    await visitor.post(`/api/safety/documents/${pack.id}/emailed_links`, { recipients, until: in30Days() }),
    await visitor.post(`/api/safety/documents/${pack.id}/links`, { called: 'Ann', until: in30Days() }),
    await visitor.post(`${link['@id']}/send-again`, {}),
  ])
    expect([refused.status, refused.body.code]).toEqual([403, 'in_person'])
  expect(await answersTo(pack)).toEqual([])
})
