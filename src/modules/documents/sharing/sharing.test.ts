import { beforeAll, describe, expect, test } from 'vitest'
import { extractResponseText } from '#test/pdf/words.ts'
import { type AssessmentHelpers, type CreatedDocument, makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { documentApiUrl, sendSignature } from '#test/support/sign-offs.ts'
import { packSecretLink } from './email-links.server.ts'

const PACKS = '/api/safety/rams_packs'

let portal: TestPortal
let firm: AssessmentHelpers
let author: TestApi
let pack: CreatedDocument

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const in30Days = () => Temporal.Now.plainDateISO('Europe/London').add({ days: 30 }).toString()
const linksOf = ({ id }: { readonly id: number }) => `/api/safety/documents/${id}/links`
const linkTo = async (of: { readonly id: number }, more = {}, as = author) =>
  ok(await as.post(linksOf(of), { called: 'Northern Build', until: in30Days(), ...more }))
const tokenOf = ({ address }: { readonly address: string }) => address.split('/pack/')[1] as string
const shared = (token: string, then = '') => portal.anonymous.get(`/api/safety/shared_packs/${token}${then}`)
const act = async (one: { readonly '@id': string }, action: string, body = {}) =>
  ok(await author.post(`${one['@id']}/${action}`, body))
const makePack = async (more = {}): Promise<CreatedDocument> => {
  const paper = await firm.current()
  const papers = [{ target: `/api/safety/documents/${paper.id}`, notes: 'The roof' }]
  const body = { description: 'Re-roofing Unit 4', location: 'Unit 4', supervisor: 'Ann', papers, ...more }
  return act(await act(ok(await author.post(PACKS, body), 201), 'complete'), 'approve')
}

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
  author = firm.author
  pack = await makePack()
})

describe('the holder of a pack link', () => {
  test('the holder of a pack link can read the pack and download all its documents as one file, without signing in', async () => {
    const token = tokenOf(await linkTo(pack))
    const { body } = await shared(token)
    expect(body).toMatchObject({ sentence: '', pack: { number: pack.documentNumber, title: 'Re-roofing Unit 4' } })
    expect(body.pack.papers).toEqual([
      {
        number: expect.stringMatching(/^RA-\d+, revision 1$/),
        title: expect.any(String),
        notes: 'The roof',
        replaced: false,
      },
    ])
    expect(body.pack.signatures).toBe(0)
    ok(await sendSignature(author, pack), 201)
    expect((await shared(token)).body.pack.signatures).toBe(1)
    const words = await extractResponseText(await shared(token, '/pdf'))
    expect(words).toContain('Re-roofing Unit 4')
    expect(words).toContain(body.pack.papers[0].title)
  })

  test("the holder of a pack link can't read anything else of the company, and guessed links are not found", async () => {
    const token = tokenOf(await linkTo(pack))
    const [whose, id, ...parts] = token.split('-')
    expect((await shared(`0${token}`)).status).toBe(404)
    const secret = parts.join('-')
    const guesses = [
      `${whose}-${id}-${'A'.repeat(32)}`,
      `${whose}-${Number(id) + 999}-${secret}`,
      `0-${id}-${secret}`,
      'x',
      '',
    ]
    for (const guess of guesses)
      for (const then of ['', '/pdf', '/logo'])
        expect([guess, (await shared(guess, then)).status]).toEqual([guess, 404])
    expect((await portal.anonymous.get(pack['@id'])).status).toBe(401)
    expect((await shared(token)).text).not.toMatch(/hash|called|author/)
  })

  test('a pack link no longer opens once it is withdrawn or expired, or the pack is no longer in force', async () => {
    const [withdrawn, old, replaced] = [await linkTo(pack), await linkTo(pack), await makePack()]
    const link = await linkTo(replaced)
    ok(await author.post(`${withdrawn['@id']}/withdraw`, {}))
    await portal.engine.db.tx('system', (tx) =>
      tx.rows("UPDATE pack_link SET until = '2020-01-01' WHERE id = $1", [old.id]),
    )
    await act(replaced, 'withdraw', { note: 'Wrong roof' })
    for (const [one, said] of [
      [withdrawn, 'withdrawn this link'],
      [old, 'link has expired'],
      [link, 'withdrawn this pack'],
    ] as const) {
      const { body } = await shared(tokenOf(one))
      expect([body.pack, body.sentence]).toEqual([undefined, expect.stringContaining(said)])
      expect((await shared(tokenOf(one), '/pdf')).status).toBe(410)
    }
    const first = await makePack()
    const former = await linkTo(first)
    await act(await act(await act(first, 'revise'), 'complete'), 'approve')
    expect((await shared(tokenOf(former))).body.sentence).toContain('has been replaced')
  })
})

describe('a pack link', () => {
  test('a pack link shows a message while a document in the pack, or a document that one of these refers to, is withdrawn', async () => {
    const deep = await firm.current()
    const paper = await firm.inForce(await firm.draft({ associated: [{ target: documentApiUrl(deep) }] }))
    const link = tokenOf(await linkTo(await makePack({ papers: [{ target: documentApiUrl(paper), notes: '' }] })))
    for (const gone of [paper, deep]) {
      await act(gone, 'withdraw', { note: 'The scaffold has changed' })
      const { body } = await shared(link)
      expect([body.pack, body.sentence]).toEqual([
        undefined,
        expect.stringContaining(
          `has withdrawn part of this pack (${gone.documentNumber} revision 1): do not work from`,
        ),
      ])
      expect((await shared(link, '/pdf')).status).toBe(410)
      ok(await author.put(gone['@id'], { retired: false }))
      expect((await shared(link)).body.sentence).toBe('')
    }
  })

  test('a pack link still opens if a document in the pack has a newer revision in force, and marks that document', async () => {
    const paper = await firm.current()
    const link = tokenOf(await linkTo(await makePack({ papers: [{ target: documentApiUrl(paper), notes: '' }] })))
    await act(await act(await act(paper, 'revise'), 'complete'), 'approve')
    const { body } = await shared(link)
    expect([body.sentence, body.pack.papers]).toMatchObject(['', [{ replaced: true }]])
    expect((await shared(link, '/pdf')).status).toBe(200)
  })

  test('opening a withdrawn pack link is not counted as a view', async () => {
    const link = await linkTo(pack)
    const opened = `/api/safety/shared_packs/${tokenOf(link)}/opened`
    ok(await author.post(`${link['@id']}/withdraw`, {}))
    expect((await portal.anonymous.post(opened, {})).status).toBe(410)
    expect(ok(await author.get(link['@id'])).opened).toBe(0)
  })

  test('no link can be created for a pack with a withdrawn document, or by provider staff for another company', async () => {
    const paper = await firm.current()
    const papers = [{ target: `/api/safety/documents/${paper.id}`, notes: '' }]
    const stale = await makePack({ papers })
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    expect((await staff.post(linksOf(stale), { called: 'Ann', until: in30Days() })).status).toBe(404)
    await act(paper, 'withdraw', { note: 'Wrong roof' })
    const refused = await author.post(linksOf(stale), { called: 'Ann', until: in30Days() })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      409,
      `${paper.documentNumber} revision 1 has been withdrawn. It can’t be shared.`,
    ])
  })
})

describe('the author of a pack link', () => {
  test('the author sees how often each pack link was opened, but can see its URL only once', async () => {
    const made = await linkTo(pack)
    const token = tokenOf(made)
    const open = () => portal.anonymous.post(`/api/safety/shared_packs/${token}/opened`, {})
    await Promise.all([shared(token, '/pdf'), open(), open()])
    const again = ok(await author.get(made['@id']))
    // Openings from one network within 15 minutes count as one.
    expect(again).toMatchObject({ called: 'Northern Build', opened: 1, author: expect.any(String) })
    await portal.db.tx('system', (tx) =>
      tx.rows("UPDATE attempt SET since = since - interval '16 minutes' WHERE key LIKE 'link-opened:pack %'"),
    )
    await open()
    expect(ok(await author.get(made['@id'])).opened).toBe(2)
    expect(JSON.stringify(again)).not.toContain(token.split('-').slice(2).join('-'))
  })

  test.each([
    [{ called: '' }, 'called'],
    [{ until: '' }, 'until'],
    [{ until: '2020-01-01' }, 'until'],
    [{ until: '2199-01-01' }, 'until'],
    [{ until: 'soon' }, 'until'],
    [{ until: '2027-1' }, 'until'],
    [{ until: '2026-12-01T' }, 'until'],
    [{ until: '2027-02-31' }, 'until'],
    [{ until: undefined }, 'until'],
  ])('creating a pack link with %j is rejected with an error for that field', async (more, field) => {
    const { status, body } = await author.post(linksOf(pack), { called: 'Ann', until: in30Days(), ...more })
    expect([status, body.violations?.map((v: { propertyPath: string }) => v.propertyPath)]).toEqual([422, [field]])
  })

  test.each([
    [{ called: 7 }],
    [{ called: ['Northern Build'] }],
    [{ called: { name: 'Northern Build' } }],
    [{ until: 20270101 }],
    [{ until: ['2027-01-01'] }],
  ])('creating a pack link with %j is rejected, as the value has the wrong type', async (more) => {
    const { status } = await author.post(linksOf(pack), { called: 'Ann', until: in30Days(), ...more })
    expect(status).toBe(400)
  })

  test('only authors can share packs, and only packs in force', async () => {
    expect((await firm.worker.post(linksOf(pack), { called: 'Ann', until: in30Days() })).status).toBe(403)
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await stranger.post(linksOf(pack), { called: 'Ann', until: in30Days() })).status).toBe(404)
    const assessment = await firm.current()
    expect((await author.post(linksOf(assessment), { called: 'Ann', until: in30Days() })).status).toBe(409)
    const draft = ok(await author.post(PACKS, { description: 'Roof', location: 'Unit 4', supervisor: 'Ann' }), 201)
    expect((await author.post(linksOf(draft), { called: 'Ann', until: in30Days() })).status).toBe(409)
    const link = await linkTo(pack)
    expect((await stranger.post(`${link['@id']}/withdraw`, {})).status).toBe(404)
    expect((await author.post(`${link['@id']}/open`, {})).status).toBe(404)
    for (const verb of ['put', 'patch'] as const)
      expect((await author[verb](link['@id'], { until: '2099-01-01', opened: 0 })).status).toBeGreaterThanOrEqual(400)
  })
})

const emailTo = (of: { readonly id: number }, recipients: unknown, more = {}, as = author) =>
  as.post(`/api/safety/documents/${of.id}/emailed_links`, {
    recipients,
    message: 'Please answer by Friday',
    until: in30Days(),
    ...more,
  })
const ANN = { name: 'Ann Carter', company: 'Northern Build', email: 'ann@northern.example' }
const pathsOf = ({ status, body }: TestResponse) => [
  status,
  ...(body.violations ?? []).map((v: { propertyPath: string }) => v.propertyPath),
]
const lettersAbout = async ({ '@id': about }: { readonly '@id': string }) => {
  await portal.drain()
  return portal.db.tx('system', (tx) =>
    tx.rows<{ recipient: string; subject: string; confidential: boolean }>(
      'SELECT recipient, subject, confidential FROM message WHERE client_id = $1 AND about = $2 ORDER BY id',
      [firm.client.id, about],
    ),
  )
}
/** Returns the token of the link in the next e-mail with this link; undefined if the e-mail would not be sent. */
const nextToken = async ({ id }: { readonly id: number }) =>
  (await packSecretLink.make(portal.engine, firm.client.id, { link: id }))?.split('/pack/')[1]
const linksIn = async (of: { readonly id: number }) =>
  ok(await author.get(`/api/safety/pack_links?document=/api/safety/documents/${of.id}`))['hydra:member']
describe('a pack that is e-mailed', () => {
  test('each recipient gets a link of their own, and reads the pack with it', async () => {
    const made = await makePack()
    const bob = { name: 'Bob', company: '', email: 'bob@northern.example' }
    expect(ok(await emailTo(made, [ANN, bob])).emailed).toEqual([ANN.email, bob.email])
    const links = await linksIn(made)
    expect(links.map((l: { called: string }) => l.called)).toEqual(['Bob', 'Ann Carter, Northern Build'])
    expect(await lettersAbout(links[1])).toEqual([
      {
        recipient: ANN.email,
        subject: `Lifecycle Ltd asks you to accept ${made.documentNumber}, revision 1: Re-roofing Unit 4`,
        confidential: true,
      },
    ])
    const token = await nextToken(links[1])
    expect((await shared(token ?? '')).body).toMatchObject({ sentence: '', pack: { number: made.documentNumber } })
    expect(JSON.stringify(await linksIn(made))).not.toContain(token?.slice(-32))
  })

  test('a second request does not e-mail the same person twice, but “Send again” does, and both links open the pack', async () => {
    const made = await makePack()
    const both = await Promise.all([emailTo(made, [ANN]), emailTo(made, [{ ...ANN, email: 'ANN@northern.example' }])])
    expect(both.map(pathsOf).toSorted()).toEqual([[200], [422, 'recipients[0].email']])
    const [link] = await linksIn(made)
    ok(await author.post(`${link['@id']}/send-again`, {}))
    expect(await lettersAbout(link)).toHaveLength(2)
    const tokens = [await nextToken(link), await nextToken(link)]
    for (const token of tokens) expect((await shared(token ?? '')).body.sentence).toBe('')
    ok(await author.post(`${link['@id']}/withdraw`, {}))
    expect((await author.post(`${link['@id']}/send-again`, {})).status).toBe(409)
    expect(await nextToken(link)).toBeUndefined()
    ok(await emailTo(made, [ANN]))
  })

  test.each([
    [[], 422, 'recipients'],
    [[{ ...ANN, email: 'nobody' }], 422, 'recipients[0].email'],
    [[ANN, ANN], 422, 'recipients[1].email'],
    [[{ ...ANN, name: ' ' }], 422, 'recipients[0].name'],
    [[{ ...ANN, company: 'x'.repeat(200) }], 422, 'recipients[0].company'],
    [Array.from({ length: 200 }, (_, i) => ({ ...ANN, email: `ann${i}@northern.example` })), 422, 'recipients'],
  ])(
    'e-mailing a pack to wrong recipients is rejected with an error for the wrong value: case %#',
    async (to, ...said) => {
      expect(pathsOf(await emailTo(pack, to))).toEqual(said)
    },
  )

  test.each([['ann@northern.example'], [{ 0: ANN }], [[ANN.email]], [7]])(
    'e-mailing a pack to %j is rejected, as it is not a list of recipients',
    async (to) => {
      expect((await emailTo(pack, to)).status).toBe(400)
    },
  )

  test('packs are e-mailed only by their own company, while in force, and within the daily limit', async () => {
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await emailTo(pack, [ANN], {}, stranger)).status).toBe(404)
    expect((await emailTo(pack, [ANN], {}, firm.worker)).status).toBe(403)
    expect((await emailTo(await firm.current(), [ANN])).status).toBe(409)
    expect(pathsOf(await emailTo(pack, [ANN], { until: '2020-01-01' }))).toEqual([422, 'until'])
    const few = await makeAssessments(portal)
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE client SET letters_per_day = 1 WHERE id = $1', [few.client.id]),
    )
    const papers = [{ target: documentApiUrl(await few.current()), notes: '' }]
    const body = { description: 'Roof', location: 'Unit 4', supervisor: 'Ann', papers }
    const theirs = await few.inForce(ok(await few.author.post(PACKS, body), 201))
    const answer = await emailTo(theirs, [ANN, { ...ANN, email: 'bob@northern.example' }], {}, few.author)
    expect(answer.status).toBe(429)
    expect(ok(await few.author.get('/api/safety/pack_links'))['hydra:member']).toEqual([])
  })

  test('the author sees what became of the e-mail with a link, and it is not called sent without a mail server', async () => {
    const made = await makePack()
    ok(await emailTo(made, [ANN]))
    expect((await linksIn(made))[0]).toMatchObject({ emailedAt: expect.any(String), opened: 0 })
    await portal.drain()
    const delivery = { recipient: ANN.email, state: 'kept', error: null }
    expect((await linksIn(made))[0]).toMatchObject({ delivery, opened: 0, openedAt: null })
  })
})
