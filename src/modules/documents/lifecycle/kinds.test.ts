import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import { ASSESSMENTS_URL, makeAssessments, makeCompleteAssessment } from '#test/support/assessments.ts'
import { testTypesModule } from '#test/support/kinds/kinds.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'
import { makePicture, makeUploadForm } from '#test/support/uploads.ts'

const portal = await (await testPortal()).with({}, [testTypesModule])
const { client, author: admin, worker, draft } = await makeAssessments(portal)
const person = async (...roles: string[]) => client.as(await client.user({ roles }))
const writer = await person('ROLE_SAFETY_AUTHOR')

const at = (path: string) => `/api/safety/${path}`
const begin = async (api: TestApi, path: string, more = {}) =>
  (await api.post(at(path), { title: 'A paper', words: 'Some', ...more })).body
const stateOf = ({ state, current, retired }: { state: string; current: boolean; retired: boolean }) => [
  state,
  current,
  retired,
]
const stands = async (paper: { '@id': string }) => stateOf((await admin.get(paper['@id'])).body)
const said = (answer: TestResponse) => [answer.status, answer.body?.['hydra:description']]
const numbers = (answer: TestResponse) =>
  answer.body['hydra:member'].map(
    (m: { documentNumber: string; revision: number }) => `${m.documentNumber}/${m.revision}`,
  )
const isUnbroken = async () => expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])

async function inForce(path: string, more = {}) {
  const made = await begin(admin, path, more)
  expect((await admin.post(`${made['@id']}/complete`)).status).toBe(200)
  const approved = await admin.post(`${made['@id']}/approve`, {})
  expect([approved.status, approved.text]).toEqual([200, expect.anything()])
  return approved.body
}

describe('a document type for management', () => {
  test('no route lets anybody but management read a management document in force, but authors can read their own before approval', async () => {
    const made = await inForce('confidentials')
    expect(made.audience).toEqual(['ROLE_CLIENT_ADMIN', 'ROLE_SAFETY_ADMIN'])
    expect((await admin.get(at(`documents/${made.id}/pack`))).status).toBe(200)
    expect((await admin.get(at('document_packs'))).text).toContain(made.documentNumber)
    expect((await writer.get(at('document_packs'))).text).not.toContain(made.documentNumber)
    for (const api of [worker, writer]) {
      for (const door of ['', '/pdf', '/copy', '/review'])
        expect([door, [403, 404].includes((await api.get(`${made['@id']}${door}`)).status)]).toEqual([door, true])
      for (const list of ['confidentials', 'confidentials/list', 'documents', 'documents/to_sign', 'document_prints'])
        expect([list, (await api.get(at(`${list}?q=paper`))).text.includes(made.documentNumber)]).toEqual([list, false])
      const signed = await api.post(at('signatures'), { document: at(`documents/${made.id}`), method: 'typed' })
      expect(signed.status).toBe(400)
      expect((await api.post(at('document/send'), { document: made['@id'], to: 'a@b.example' })).status).not.toBe(200)
    }
    expect((await admin.get(`${made['@id']}/pdf`)).status).toBe(200)
    const own = await begin(writer, 'confidentials')
    expect((await writer.post(`${own['@id']}/complete`)).body.state).toBe('complete')
    expect((await writer.get(own['@id'])).status).toBe(200)
  })

  test("a document's audience is never wider than its type's", async () => {
    const made = await begin(writer, 'confidentials')
    const wider = await writer.put(made['@id'], { audience: ['ROLE_EMPLOYEE'] })
    expect([wider.status, wider.body.violations[0]]).toEqual([
      422,
      expect.objectContaining({
        propertyPath: 'audience',
        message: 'The audience can’t be wider than: Management only',
      }),
    ])
    expect((await writer.put(made['@id'], { audience: ['no role'] })).status).toBe(422)
    expect((await writer.put(made['@id'], { audience: ['ROLE_CLIENT_ADMIN'] })).body.audience).toEqual([
      'ROLE_CLIENT_ADMIN',
    ])
    expect((await writer.put(made['@id'], { audience: [] })).body.audience).toHaveLength(2)
  })
})

describe('a document with a chosen audience', () => {
  test("a document's audience is chosen by its author and, after sealing, only by the approver, and the audit chain records each choice", async () => {
    const foreman = await person('ROLE_EMPLOYEE', 'ROLE_RISK_CREATE_UNRESTRICTED')
    const made = await draft({ audience: ['ROLE_RISK_CREATE_UNRESTRICTED'] })
    await admin.post(`${made['@id']}/complete`)
    expect((await writer.get(made['@id'])).status).toBe(404)
    expect(
      (
        await admin.post(`${made['@id']}/approve`, {
          audience: ['ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_SAFETY_AUTHOR'],
        })
      ).body,
    ).toMatchObject({
      current: true,
      audience: ['ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_SAFETY_AUTHOR'],
    })
    expect([(await foreman.get(made['@id'])).status, (await worker.get(made['@id'])).status]).toEqual([200, 404])
    expect(said(await writer.put(made['@id'], { audience: [] }))).toEqual([
      403,
      'You don’t have permission to change the readers of this risk assessment.',
    ])
    expect((await admin.put(made['@id'], { audience: [] })).body.audience).toEqual([])
    expect((await worker.get(made['@id'])).status).toBe(200)
    const links = await admin.get(at(`seals?document=${at(`documents/${made.id}`)}`))
    expect(links.body['hydra:member'].map((l: { event: string }) => l.event)).toEqual([
      'audience changed',
      'approved',
      'completed',
    ])
    expect((await admin.post(`${made['@id']}/revise`, {})).body.audience).toEqual([])
    await isUnbroken()
    await portal.db.tx('owner', (tx) => tx.rows("UPDATE document SET audience = '{ROLE_X}' WHERE id = $1", [made.id]))
    expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([expect.stringContaining('readers')])
    await portal.db.tx('owner', (tx) => tx.rows("UPDATE document SET audience = '{}' WHERE id = $1", [made.id]))
  })
})

describe('a type with one document in force per client', () => {
  test('a document in force is replaced by any later one, even under another number', async () => {
    const [first, second] = [await inForce('policy_papers'), await inForce('policy_papers')]
    expect([await stands(first), await stands(second)]).toEqual([
      ['replaced', false, false],
      ['current', true, false],
    ])
    const revised = (await admin.post(`${second['@id']}/revise`, {})).body
    await admin.post(`${revised['@id']}/complete`)
    expect((await admin.post(`${second['@id']}/withdraw`, { note: 'Out of date' })).body).toMatchObject({
      current: false,
    })
    const third = await inForce('policy_papers')
    expect((await admin.put(second['@id'], { retired: false })).body).toMatchObject({
      state: 'replaced',
      current: false,
    })
    await admin.post(`${revised['@id']}/approve`, {})
    expect([await stands(third), await stands(revised)]).toEqual([
      ['replaced', false, false],
      ['current', true, false],
    ])
    await isUnbroken()
  })

  test('if documents with different numbers are approved concurrently, exactly one is in force', async () => {
    const papers = [await begin(admin, 'policy_papers'), await begin(admin, 'policy_papers')]
    for (const p of papers) await admin.post(`${p['@id']}/complete`)
    await Promise.all(papers.map((p) => admin.post(`${p['@id']}/approve`, {})))
    const found = await admin.get(at('policy_papers?current=true'))
    expect(found.body['hydra:totalItems']).toBe(1)
  })

  test('the database allows only one document in force per client', async () => {
    const sql = `INSERT INTO document (client_id, kind, number, per_client, state, complete, current) VALUES (${client.id}, 'policy', 'PO-9999', true, 'current', true, true)`
    await expect(portal.db.tx('owner', (tx) => tx.rows(sql))).rejects.toThrow('document_current')
  })
})

describe('a type without approval', () => {
  test('a completed document is in force immediately by every route and is replaced by the next one', async () => {
    const byAction = await begin(writer, 'memos')
    const whole = await writer.post(`${byAction['@id']}/complete`)
    expect(whole.body).toMatchObject({
      state: 'current',
      current: true,
      approved: false,
      reviewDue: expect.any(String),
    })
    const bySave = (await writer.post(`${byAction['@id']}/revise`, {})).body
    expect((await writer.put(bySave['@id'], { complete: true })).body).toMatchObject({ current: true })
    expect(await stands(byAction)).toEqual(['replaced', false, false])
    const atOnce = await begin(writer, 'memos', { parent: bySave['@id'], complete: true })
    expect([stateOf(atOnce), (await worker.get(atOnce['@id'])).status]).toEqual([['current', true, false], 200])
    expect((await admin.post(`${atOnce['@id']}/approve`, {})).status).toBe(404)
    const approved = await admin.put((await begin(writer, 'memos', { complete: true }))['@id'], { approved: true })
    expect(said(approved)).toEqual([
      409,
      'This document needs no approval: it comes into force as soon as it is complete.',
    ])
    expect((await writer.post(`${atOnce['@id']}/withdraw`, { note: 'No longer true' })).body).toMatchObject({
      retired: true,
    })
    await isUnbroken()
  })

  test('the PDF of a document type without approval states its effective date and predecessor, and omits “not approved”', async () => {
    const made = await begin(writer, 'memos', { complete: true })
    const next = (await writer.post(`${made['@id']}/revise`, {})).body
    await writer.post(`${next['@id']}/complete`)
    const words = await extractResponseText(await worker.get(`${next['@id']}/pdf`))
    expect(words).toMatch(/In force from \d/)
    expect(words).not.toContain('Times declined')
    expect(words).toMatch(/2 Current .* 1 Replaced/)
    expect(await extractResponseText(await writer.get(`${(await begin(writer, 'memos'))['@id']}/pdf`))).toContain(
      'Not in force',
    )
  })

  test('completing the next revision asks its signatories by e-mail to sign again', async () => {
    const name = `Ann ${client.id}`
    const signer = await client.user({ roles: ['ROLE_EMPLOYEE'], name, email: `ann@c${client.id}.example` })
    const made = (await begin(writer, 'memos', { complete: true })) as { '@id': string; id: number }
    const about = (id: number) => ({ document: at(`documents/${id}`) })
    const asked = { ...about(made.id), people: [signer.id], due: '2099-01-01' }
    expect((await writer.post(at('sign_offs'), asked)).status).toBe(201)
    expect((await client.as(signer).post(at('signatures'), { ...about(made.id), method: 'typed' })).status).toBe(201)
    const next = (await writer.post(`${made['@id']}/revise`, {})).body
    expect((await writer.post(`${next['@id']}/complete`)).body).toMatchObject({ asked: 1, missing: 1 })
    await portal.drain()
    const sent = await portal.db.tx('system', (tx) =>
      tx.rows<{ subject: string }>('SELECT subject FROM message WHERE recipient = $1 ORDER BY id', [
        `ann@c${client.id}.example`,
      ]),
    )
    expect(sent.map(({ subject }) => subject.split(':')[0])).toEqual(['Please sign again'])
  })

  test('in a type with one document per client, the document completed last is in force', async () => {
    const papers = [await begin(writer, 'public_notices'), await begin(writer, 'public_notices')]
    for (const p of papers.toReversed()) await writer.post(`${p['@id']}/complete`)
    expect(numbers(await worker.get(at('public_notices')))).toEqual(['NT-0001/1'])
  })
})

describe("a document type's files under any field name", () => {
  test('uploaded files belong to the client, and are read, printed and sealed with the document', async () => {
    const add = async (name: string) => {
      const { headers, body } = makeUploadForm(await makePicture(40, 30).png().toBuffer(), name)
      const answer = await writer.send('POST', at(`uploads/${client.id}`), { headers, body })
      expect(answer.status).toBe(201)
      return answer.body['@id'] as string
    }
    const [cover, plan] = [await add('cover.png'), await add('plan.png')]
    const stranger = (await portal.client()).as(await (await portal.client()).user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    for (const words of [{ cover }, { plans: [plan] }])
      expect((await stranger.post(at('memos'), { title: 'Theirs', ...words })).status).toBe(400)
    expect((await worker.get(plan)).status).toBe(404)
    const made = await begin(writer, 'memos', { cover, plans: [{ '@id': plan, label: 'Yard' }], complete: true })
    expect([(await worker.get(plan)).status, (await worker.get(cover)).status]).toEqual([200, 200])
    expect((await writer.get(`${made['@id']}/pdf`)).status).toBe(200)
    const prints = await portal.db.tx('system', (tx) =>
      tx.rows<{ material: { pictures: { caption: string }[] } }>(
        'SELECT material FROM document_print WHERE client_id = $1 AND document_id = $2',
        [client.id, made.id],
      ),
    )
    expect(prints.map((p) => p.material.pictures.map((one) => one.caption))).toEqual([['cover.png', 'Yard']])
    for (const file of [cover, plan]) expect((await writer.put(file, { retired: true })).status).toBe(409)
    const links = await portal.db.tx('system', (tx) =>
      tx.rows<{ subject: string }>(
        "SELECT subject::text AS subject FROM seal WHERE client_id = $1 AND document_id = $2 AND event = 'completed'",
        [client.id, made.id],
      ),
    )
    for (const name of ['cover.png', 'plan.png']) expect(links[0]?.subject).toContain(name)
  })
})

describe('a type that starts from another type', () => {
  test('a new document is prefilled from the query and the source record, and stores its origin', async () => {
    const assessment = await draft({ location: 'Unit 12' })
    const model = await writer.get(at(`method_papers/model?riskAssessment=${assessment.id}`))
    // Other authors' drafts can't be used as a source.
    expect(model.status).toBe(400)
    const ours = (await admin.get(at(`method_papers/model?riskAssessment=${assessment['@id']}`))).body
    expect(ours).toMatchObject({ site: 'Unit 12', words: `For ${assessment.documentNumber}` })
    const { '@id': _, ...body } = { ...ours, title: 'How the roof is done' }
    const made = (await admin.post(at('method_papers'), body)).body
    expect(made.origin).toBe(at(`documents/${assessment.id}`))
    expect((await admin.post(`${made['@id']}/complete`)).status).toBe(200)
    await expect(
      portal.db.tx('owner', (tx) => tx.rows('UPDATE document SET origin_id = NULL WHERE id = $1', [made.id])),
    ).rejects.toThrow('keeps its origin')
    expect((await admin.get(at('method_papers/model?site=Leeds'))).body).toMatchObject({ site: 'Leeds', words: '' })
    expect((await admin.get(at('method_papers/model?riskAssessment=987654'))).status).toBe(400)
    expect((await admin.get(at('method_papers/model?riskAssessment=x'))).status).toBe(400)
  })
})

describe("a copy's origin", () => {
  test('a copy stores and seals its source revision, and copies and outdated copies can be listed', async () => {
    const original = await draft()
    await admin.post(`${original['@id']}/complete`)
    await admin.post(`${original['@id']}/approve`, {})
    const { '@id': _, ...model } = (await admin.get(`${original['@id']}/copy`)).body
    const copy = (await admin.post(ASSESSMENTS_URL, model)).body
    expect(copy.origin).toBe(at(`documents/${original.id}`))
    expect(said(await admin.put(copy['@id'], { origin: at(`documents/${copy.id}`) }))).toEqual([
      409,
      'The source of a copied revision can’t be changed.',
    ])
    expect(numbers(await admin.get(`${ASSESSMENTS_URL}/copies/${original.id}`))).toEqual([`${copy.documentNumber}/1`])
    expect(numbers(await admin.get(`${ASSESSMENTS_URL}/copies_behind`))).toEqual([])
    const next = (await admin.post(`${original['@id']}/revise`, {})).body
    await admin.post(`${next['@id']}/complete`)
    await admin.post(`${next['@id']}/approve`, {})
    expect(numbers(await admin.get(`${ASSESSMENTS_URL}/copies_behind`))).toEqual([`${copy.documentNumber}/1`])
    expect(numbers(await admin.get(`${ASSESSMENTS_URL}/copies/${next.id}`))).toEqual([`${copy.documentNumber}/1`])
    expect((await admin.post(ASSESSMENTS_URL, makeCompleteAssessment({ origin: at('documents/987654') }))).status).toBe(
      400,
    )
  })

  test('a reader who can’t open the source of a copy finds and counts the copy as one without a source', async () => {
    const original = await draft()
    const { '@id': _, ...model } = (await admin.get(`${original['@id']}/copy`)).body
    const { body: copy } = await admin.post(ASSESSMENTS_URL, model)
    const controls = copy.controls.map((line: object) => ({ ...line, unconfirmed: false }))
    expect((await admin.put(copy['@id'], { unconfirmed: [], controls })).status).toBe(200)
    for (const step of ['complete', 'approve'])
      expect((await admin.post(`${copy['@id']}/${step}`, {})).status).toBe(200)
    expect((await worker.get(copy['@id'])).body.origin).toBeNull()
    const named = `client=${client.id}&documentNumber=${copy.documentNumber}`
    const source = at(`documents/${original.id}`)
    const total = async (api: TestApi, filter: string) =>
      (await api.get(`${ASSESSMENTS_URL}?${named}&${filter}`)).body['hydra:totalItems']
    const filters = [
      `origin=${source}`,
      `origin[]=${original.id}`,
      `origin.id=${original.id}`,
      'exists[origin]=true',
      'origin[exists]=true',
      'exists[origin]=false',
    ]
    const totals = (api: TestApi) => Promise.all(filters.map((filter) => total(api, filter)))
    expect(await totals(admin)).toEqual([1, 1, 1, 1, 1, 0])
    expect(await totals(worker)).toEqual([0, 0, 0, 0, 0, 1])
  })

  test('a copy for another client discloses its source only to users with access to it', async () => {
    const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    const theirs = await portal.client()
    const reader = theirs.as(await theirs.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const original = await draft()
    const { '@id': _, ...model } = (await keeper.get(`${original['@id']}/${theirs.id}/copyTo`)).body
    const given = (await keeper.post(ASSESSMENTS_URL, model)).body
    expect(given.origin).toBe(at(`documents/${original.id}`))
    expect([(await keeper.get(given.origin)).status, (await reader.get(given.origin)).status]).toEqual([200, 404])
    expect((await reader.get(`${ASSESSMENTS_URL}/copies/${given.id}`)).body['hydra:totalItems']).toBe(0)
    const seen = (await reader.get(given['@id'])).body
    const listed = (await reader.get(ASSESSMENTS_URL)).body['hydra:member'][0]
    const saved = await reader.put(given['@id'], { ...seen, location: 'Unit 5' })
    expect([seen.origin, listed.origin, saved.status, saved.body.origin]).toEqual([null, null, 200, null])
    const exported = (api: TestApi) => api.get(`${ASSESSMENTS_URL}/export.csv?columns=documentNumber,origin`)
    expect((await exported(reader)).text.trim().split('\r\n').at(-1)).toBe(`${given.documentNumber},`)
    expect((await keeper.get(given['@id'])).body).toMatchObject({ origin: given.origin, location: 'Unit 5' })
  })
})

describe('the list of documents in force', () => {
  test('the list of documents in force falls back to the latest complete revision for authors only, and never shows a replaced one', async () => {
    const own = await makeAssessments(portal)
    const talks = at('toolbox_talks')
    const current = async (api: TestApi) => numbers(await api.get(`${talks}/list?current=1`))
    const talk = (await own.author.post(talks, { title: 'Slips', points: [{ text: 'One' }] })).body
    expect(await current(own.author)).toEqual([])
    await own.author.post(`${talk['@id']}/complete`)
    expect([await current(own.author), await current(own.worker)]).toEqual([['TT-0001/1'], []])
    await own.author.post(`${talk['@id']}/approve`, {})
    const next = (await own.author.post(`${talk['@id']}/revise`, {})).body
    await own.author.post(`${next['@id']}/complete`)
    expect(await current(own.author)).toEqual(['TT-0001/1'])
    await own.author.post(`${next['@id']}/approve`, {})
    expect([await current(own.author), await current(own.worker)]).toEqual([['TT-0001/2'], ['TT-0001/2']])
    await own.author.post(`${next['@id']}/withdraw`, { note: 'Wrong' })
    expect(await current(own.author)).toEqual([])
  })
})
