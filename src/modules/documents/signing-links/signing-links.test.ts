import decodeQR from 'qr/decode.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { coshhAssessment } from '#modules/safety/coshh/coshh-assessment.ts'
import { methodStatement } from '#modules/safety/methods/method-statement.ts'
import { policy } from '#modules/safety/policies/policy.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { toolboxTalk } from '#modules/safety/talks/toolbox-talk.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { renderPages } from '#test/pdf/pages.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  type AssessmentHelpers,
  type CreatedDocument,
  documentIri,
  makeAssessments,
} from '#test/support/assessments.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestPortal, type TestResponse, testPortal } from '#test/support/portal.ts'
import { collectionMembers, expectSuccess, sendSignature } from '#test/support/sign-offs.ts'

let portal: TestPortal
let firm: AssessmentHelpers
let of: CreatedDocument

beforeAll(async () => {
  portal = await testPortal()
  firm = await makeAssessments(portal)
  of = await firm.current()
})

const drawing = (end = 0.8) => ({
  width: 300,
  height: 100,
  strokes: [
    [
      [0.1, 0.1],
      [0.9, end],
    ],
  ],
})
const linkOf = (one: { readonly id: number }) => `${documentIri(one)}/signing_link`
const makeLink = async (one: { readonly id: number } = of, as = firm.author): Promise<string> => {
  const { link } = expectSuccess(await as.post(linkOf(one), {}))
  return `/api/safety/shared_documents/${link.address.split('/sign/')[1]}`
}
const read = (...all: readonly { readonly id: number }[]) =>
  all.map((one) => ({ part: documentIri(one), seconds: 86_400 }))
const send = (at: string, more: Record<string, unknown> = {}) =>
  portal.anonymous.post(`${at}/sign`, {
    name: 'Nora New',
    company: 'Ladders Ltd',
    trade: 'Roofer',
    strokes: drawing(),
    document: of.id,
    opened: read(of),
    ...more,
  })
const problemOf = ({ status, body }: TestResponse) => [status, body.violations?.[0]?.message ?? body.detail]
const signaturesOf = async (one: { readonly id: number }, as = firm.author) =>
  collectionMembers(await as.get(`/api/safety/signatures?document=${documentIri(one)}&pagination=false`))
const change = (sql: string, at: string) =>
  portal.engine.db.tx('system', (tx) => tx.rows(sql, [Number(at.split('/').at(-1)?.split('-')[1])]))
const revise = async (one: CreatedDocument): Promise<CreatedDocument> =>
  firm.inForce(expectSuccess(await firm.author.post(`${one['@id']}/revise`, { reason: 'New ladder' })))

describe('the holder of a document’s signing link', () => {
  test('signs the document in force after reading it, and the record states the link and the parts read', async () => {
    const one = await firm.current()
    const at = await makeLink(one)
    const { body, text } = await portal.anonymous.get(at)
    expect(body).toMatchObject({
      company: 'Lifecycle Ltd',
      sentence: '',
      document: { id: one.id, number: one.documentNumber, revision: 1, title: 'Roof repairs' },
    })
    expect(text).not.toMatch(/hash|sealed|username/)
    expectSuccess(await portal.anonymous.post(`${at}/opened`, {}))
    const part = expectSuccess(await portal.anonymous.get(`${at}/parts/${one.id}`))
    expect(part.record.controls.length).toBeGreaterThan(0)
    expect((await portal.anonymous.get(one['@id'])).status).toBe(401)
    const receipt = expectSuccess(await send(at, { document: one.id, opened: read(one) }))
    expect(receipt).toMatchObject({ name: 'Nora New', signedAt: expect.any(String) })
    expect(await signaturesOf(one)).toEqual([
      expect.objectContaining({
        name: 'Nora New',
        company: 'Ladders Ltd',
        trade: 'Roofer',
        byLink: true,
        visitor: true,
        mine: false,
        user: null,
        signer: null,
        byName: null,
        method: 'finger',
        statement: expect.stringContaining('I have read and understood this risk assessment'),
        seal: expect.stringMatching(/^[0-9a-f]{64}$/),
        opened: [{ part: documentIri(one), name: `${one.documentNumber} revision 1`, seconds: expect.any(Number) }],
      }),
    ])
    // The reading time is at most the age of the link.
    expect((await signaturesOf(one))[0].opened[0].seconds).toBeLessThan(3600)
    expect(expectSuccess(await firm.author.get(one['@id'])).signatures).toBe(1)
    expect(expectSuccess(await firm.author.get(linkOf(one))).link).toMatchObject({ signed: 1, maxSignatures: 100 })
    const printed = await extractResponseText(await firm.author.get(`${one['@id']}/pdf`))
    for (const words of ['Nora New', 'Roofer, Ladders Ltd', 'Visitor, on the signer’s own device, by link'])
      expect(printed).toContain(words)
  })

  test.each([toolboxTalk, riskAssessment, methodStatement, coshhAssessment, policy])(
    'signs a document of any type: $noun',
    async (kind) => {
      const made = expectSuccess(await firm.author.post(kind.resource.url, makeCompleteDocumentBody(kind)))
      const one = await firm.inForce(made)
      const at = await makeLink(one)
      const part = expectSuccess(await portal.anonymous.get(`${at}/parts/${one.id}`))
      expect(part.record).toMatchObject({ documentNumber: one.documentNumber, revision: 1 })
      expectSuccess(await send(at, { document: one.id, opened: read(one) }))
      expect(await signaturesOf(one)).toEqual([
        expect.objectContaining({ byLink: true, statement: expect.stringContaining(`understood this ${kind.noun}`) }),
      ])
    },
  )

  test('reads the whole pack, with every document in it, before signing', async () => {
    const paper = await firm.current()
    const papers = [{ target: documentIri(paper), notes: '' }]
    const body = { description: 'Re-roofing', location: 'Unit 4', supervisor: 'Ann', papers }
    const pack = await firm.inForce(expectSuccess(await firm.author.post('/api/safety/rams_packs', body)))
    const at = await makeLink(pack)
    expect(collectionMembers(await portal.anonymous.get(`${at}/parts`))).toEqual([
      expect.objectContaining({ '@id': documentIri(paper), readable: true }),
    ])
    expectSuccess(await portal.anonymous.get(`${at}/parts/${paper.id}`))
    for (const opened of [[], read(pack), read(paper)])
      expect(problemOf(await send(at, { document: pack.id, opened }))).toEqual([
        422,
        expect.stringMatching(/^Please open .* and read to the end before you sign$/),
      ])
    expect(problemOf(await send(at, { document: pack.id, opened: read(pack, paper, of) }))[1]).toContain(
      'is not part of this document',
    )
    expect(await signaturesOf(pack)).toEqual([])
    expectSuccess(await send(at, { document: pack.id, opened: read(pack, paper) }))
    expect((await signaturesOf(pack))[0].opened).toHaveLength(2)
  })

  test('can’t take the name or username of an account, whose holder is still asked to sign', async () => {
    const one = await firm.current()
    expectSuccess(
      await firm.author.post('/api/safety/sign_offs', {
        document: documentIri(one),
        everybody: true,
        due: Temporal.Now.plainDateISO().add({ days: 9 }).toString(),
      }),
    )
    const at = await makeLink(one)
    const given = { document: one.id, opened: read(one) }
    const { missing } = expectSuccess(await firm.author.get(one['@id']))
    const { username } = expectSuccess(await firm.worker.get('/api/security/user_check'))
    for (const name of ['will  WORKER', username])
      expect([name, problemOf(await send(at, { ...given, name }))]).toEqual([
        name,
        [422, expect.stringContaining('Somebody with this name has an account')],
      ])
    expect(await signaturesOf(one)).toEqual([])
    expectSuccess(await send(at, { ...given, name: 'Will Worker, Ladders Ltd' }))
    expect(expectSuccess(await firm.author.get(one['@id'])).missing).toBe(missing)
    expect((await sendSignature(firm.worker, one)).status).toBe(201)
    expect(expectSuccess(await firm.author.get(one['@id'])).missing).toBe(missing - 1)
  })

  test('signs once: a repeated request changes nothing, and the same name with another drawing is refused', async () => {
    const one = await firm.current()
    const at = await makeLink(one)
    const given = { document: one.id, opened: read(one) }
    const first = expectSuccess(await send(at, given))
    expect(expectSuccess(await send(at, given))).toEqual(first)
    for (const other of [{ company: 'Other Ltd' }, { trade: '' }])
      expect(problemOf(await send(at, { ...given, ...other }))).toEqual([
        409,
        'The signature of Nora New has already been saved with another company or trade and can’t be changed.',
      ])
    expect(problemOf(await send(at, { ...given, name: 'nora  new', strokes: drawing(0.5) }))).toEqual([
      422,
      expect.stringContaining('has already signed'),
    ])
    const answers = await Promise.all(
      [0.3, 0.6].map((end) => send(at, { ...given, name: 'Pat', strokes: drawing(end) })),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422])
    expect(await signaturesOf(one)).toHaveLength(2)
    // A withdrawn link still confirms earlier signatures.
    expectSuccess(await firm.author.delete(linkOf(one)))
    expect(expectSuccess(await send(at, given))).toEqual(first)
  })

  test('is refused with an empty or too long name, without a company, or without a drawing', async () => {
    const at = await makeLink()
    for (const [more, said] of [
      [{ name: ' ' }, 'Please enter your full name'],
      [{ name: '123' }, 'Please enter your full name'],
      [{ name: 'N'.repeat(91) }, 'at most 90 characters'],
      [{ company: ' ' }, 'Please enter your company'],
      [{ company: 'L'.repeat(5000) }, 'at most 100 characters'],
      [{ strokes: null }, 'Please sign in the box'],
      [{ strokes: { strokes: 'x' } }, 'not valid'],
      [{ opened: [] }, 'read to the end before you sign'],
      [{ opened: 'all' }, 'must be a list'],
    ] as const)
      expect([more, problemOf(await send(at, more))]).toEqual([more, [422, expect.stringContaining(said)]])
    expect(await signaturesOf(of)).toEqual([])
  })

  test('can’t sign a revision that was replaced after it was opened, and is offered the new one', async () => {
    const one = await firm.current()
    const at = await makeLink(one)
    const next = await revise(one)
    const given = { document: one.id, opened: read(one) }
    expect(problemOf(await send(at, given))).toEqual([
      409,
      `${one.documentNumber} revision 2 has come into force since you opened this page. Please reload the page, read it and sign it.`,
    ])
    expect((await portal.anonymous.get(`${at}/parts/${one.id}`)).status).toBe(404)
    expect((await portal.anonymous.get(at)).body.document).toMatchObject({ id: next.id, revision: 2 })
    expect(await signaturesOf(one)).toEqual([])
    // Not even if only the old revision was read.
    expect((await send(at, { document: next.id, opened: read(one) })).status).toBe(422)
    expectSuccess(await send(at, { document: next.id, opened: read(next) }))
    expect(await signaturesOf(next)).toHaveLength(1)
    // A repeated request still confirms the signature on the revision that was replaced in between.
    await revise(next)
    expectSuccess(await send(at, { document: next.id, opened: read(next) }))
    expect((await send(at, { document: next.id, opened: read(next), strokes: drawing(0.2) })).status).toBe(409)
    expect(await signaturesOf(next)).toHaveLength(1)
  })

  test('must use their own account if signed in, and can’t sign while impersonating', async () => {
    const at = await makeLink()
    const given = { name: 'Will Worker', company: 'X', strokes: drawing(), document: of.id, opened: read(of) }
    expect(problemOf(await firm.worker.post(`${at}/sign`, given))).toEqual([
      409,
      'You are signed in to the portal. Please sign the document under your own account.',
    ])
    const admin = await firm.client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const visit = await staff.get(`/api/security/user/switch?username=${admin.username}&client=${firm.client.id}`)
    const visitor = portal.bearing(visit.body.token)
    expectSuccess(await visitor.post('/api/security/user/write', { reason: 'They asked for help' }))
    expect((await visitor.post(`${at}/sign`, given)).status).toBe(403)
    for (const act of [visitor.get(linkOf(of)), visitor.post(linkOf(of), {}), visitor.delete(linkOf(of))])
      expect((await act).status).toBe(403)
  })

  test('gets the same error for every guessed, altered or foreign link, and reads nothing of another company', async () => {
    const at = await makeLink()
    const [clientId, id, ...rest] = at.split('/').at(-1)?.split('-') ?? []
    const secret = rest.join('-')
    const foreign = await makeAssessments(portal)
    const theirs = await foreign.current()
    const [theirClient, theirId] = (await makeLink(theirs, foreign.author)).split('/').at(-1)?.split('-') ?? []
    for (const guess of [
      `${clientId}-${id}-${'A'.repeat(32)}`,
      `${clientId}-${Number(id) + 999}-${secret}`,
      `${theirClient}-${theirId}-${secret}`,
      `0-${id}-${secret}`,
      'x',
    ]) {
      const url = `/api/safety/shared_documents/${guess}`
      for (const then of ['', `/parts/${of.id}`, '/parts', '/logo', '/files/1'])
        expect([guess, (await portal.anonymous.get(`${url}${then}`)).status]).toEqual([guess, 404])
      expect((await send(url)).status).toBe(404)
    }
    expect((await portal.anonymous.get(`${at}/parts/${theirs.id}`)).status).toBe(404)
    expect((await send(at, { document: theirs.id, opened: read(theirs) })).status).toBe(409)
    expect(await signaturesOf(theirs, foreign.author)).toEqual([])
  })
})

describe('a document’s signing link', () => {
  test('is managed by people who may ask for signatures, one link per document, for at most 30 days', async () => {
    const one = await firm.current()
    expect((await firm.worker.get(linkOf(one))).status).toBe(403)
    expect((await firm.worker.post(linkOf(one), {})).status).toBe(403)
    expect((await firm.worker.delete(linkOf(one))).status).toBe(403)
    const foreign = await makeAssessments(portal)
    for (const answer of [foreign.author.get(linkOf(one)), foreign.author.post(linkOf(one), {})])
      expect((await answer).status).toBe(404)
    const day = (days: number) => Temporal.Now.plainDateISO('Europe/London').add({ days }).toString()
    for (const [until, said] of [
      [day(31), 'at most 30 days'],
      [day(-1), 'in the past'],
      ['soon', 'must be a date'],
    ] as const)
      expect(problemOf(await firm.author.post(linkOf(one), { until }))).toEqual([422, expect.stringContaining(said)])
    expect(expectSuccess(await firm.author.get(linkOf(one))).link).toBeNull()
    const made = expectSuccess(await firm.author.post(linkOf(one), {})).link
    expect(made.until).toBe(day(7))
    expect(expectSuccess(await firm.author.post(linkOf(one), { until: day(30) })).link).toEqual(made)
    expect((await firm.author.post(linkOf(one), { until: '2020-01-01' })).status).toBe(422)
    // It belongs to the document’s number, so the next revision has it as well.
    const next = await revise(one)
    expect(expectSuccess(await firm.author.get(linkOf(next))).link).toEqual(made)
  })

  test('is created only for a document in force whose parts its creator may read', async () => {
    const draft = await firm.draft()
    expect((await firm.author.post(linkOf(draft), {})).status).toBe(409)
    const old = await firm.current()
    await revise(old)
    expect((await firm.author.post(linkOf(old), {})).status).toBe(409)
  })

  test('is printed as a poster while it works', async () => {
    const one = await firm.current()
    const poster = `${linkOf(one)}/poster`
    expect(problemOf(await firm.author.get(poster))).toEqual([409, expect.stringContaining('Create one')])
    const { address } = expectSuccess(await firm.author.post(linkOf(one), {})).link
    const answer = await firm.author.get(poster)
    const [page] = await renderPages(answer.raw ?? Buffer.alloc(0), 150)
    expect(page && decodeQR(page.image)).toBe(address)
    const printed = await extractResponseText(answer)
    for (const words of ['Roof repairs', one.documentNumber, 'Scan to read and sign', 'works until the end of'])
      expect(printed).toContain(words)
    expect((await firm.worker.get(poster)).status).toBe(403)
    expectSuccess(await firm.author.delete(linkOf(one)))
    expect((await firm.author.get(poster)).status).toBe(409)
  })

  test('stops working with a clear sentence once it is withdrawn, expired or used up, or its document is withdrawn', async () => {
    const ends = [
      ['withdrawn this link', (one) => firm.author.delete(linkOf(one))],
      ['has expired', (_, at) => change("UPDATE signing_link SET until = '2020-01-01' WHERE id = $1", at)],
      ['used for 100 signatures', (_, at) => change('UPDATE signing_link SET signed = 100 WHERE id = $1', at)],
      ['do not work from a copy', (one) => firm.act(one, 'withdraw', { note: 'Wrong' })],
    ] satisfies readonly (readonly [string, (one: CreatedDocument, at: string) => Promise<unknown>])[]
    for (const [said, end] of ends) {
      const one = await firm.current()
      const at = await makeLink(one)
      await end(one, at)
      const { body } = await portal.anonymous.get(at)
      expect([said, body.document, body.sentence]).toEqual([said, undefined, expect.stringContaining(said)])
      const given = { document: one.id, opened: read(one) }
      expect(problemOf(await send(at, given))).toEqual([410, body.sentence])
      expect((await portal.anonymous.get(`${at}/parts/${one.id}`)).status).toBe(410)
      expect(await signaturesOf(one)).toEqual([])
    }
  })

  test('takes 100 signatures, and the 101st is refused', async () => {
    const one = await firm.current()
    const at = await makeLink(one)
    await change('UPDATE signing_link SET signed = 99 WHERE id = $1', at)
    const given = { document: one.id, opened: read(one) }
    expectSuccess(await send(at, given))
    expect((await send(at, { ...given, name: 'Pat' })).status).toBe(410)
    expect(await signaturesOf(one)).toHaveLength(1)
    expect(expectSuccess(await firm.author.get(linkOf(one))).link).toBeNull()
  })

  test('gives signatures that are sealed as signed by link and can’t be claimed otherwise', async () => {
    const one = await firm.current()
    expectSuccess(await send(await makeLink(one), { document: one.id, opened: read(one) }))
    expect((await verifyEvidence(portal.engine, firm.client.id)).broken).toEqual([])
    const claimed = await firm.author.post('/api/safety/signatures', {
      document: documentIri(one),
      method: 'typed',
      byLink: true,
      company: 'X',
    })
    expect((await signaturesOf(one)).filter(({ byLink }: { byLink: boolean }) => byLink)).toHaveLength(1)
    expect(claimed.status).toBeLessThan(500)
    await expect(
      portal.engine.db.tx('system', (tx) =>
        tx.rows('UPDATE signature SET by_link = false WHERE document_id = $1', [one.id]),
      ),
    ).rejects.toThrow('permission denied for table signature')
  })

  test('limits the attempts to sign from one network, and the guesses of known names', async () => {
    const one = await firm.current()
    const at = await makeLink(one)
    const given = { document: one.id, opened: read(one) }
    expectSuccess(await send(at, given))
    const statuses = new Set<number>()
    for (let i = 0; i < 32; i++) statuses.add((await send(at, { ...given, strokes: drawing(0.5) })).status)
    expect(statuses).toEqual(new Set([422, 429]))
    expect((await send(at, { ...given, name: 'Pat' })).status).toBe(429)
  })
})
