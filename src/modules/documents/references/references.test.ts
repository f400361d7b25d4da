import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractResponseText } from '#test/pdf/words.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  type CreatedDocument,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
} from '#test/support/assessments.ts'
import { withForgery } from '#test/support/forging.ts'
import { type TestPortal, testPortal } from '#test/support/portal.ts'
import { makeUploadForm } from '#test/support/uploads.ts'

let portal: TestPortal
let made: AssessmentHelpers
let file: CreatedDocument

const to = (one: { readonly id: number }, notes = '') => ({ target: documentIri(one), notes })
const usersOf = async (of: string, as = made.author) => {
  const answer = await as.get(`${of}/where_used`)
  expect([answer.status, answer.text]).toEqual([200, expect.anything()])
  return answer.body['hydra:member'].map((d: CreatedDocument) => d.id)
}
const refusals = (answer: { status: number; body: { violations?: { propertyPath: string; message: string }[] } }) => [
  answer.status,
  ...(answer.body.violations ?? []).map((v) => `${v.propertyPath}: ${v.message}`),
]

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  const { headers, body } = makeUploadForm('Sheet\n1\n', 'sheet.csv')
  file = (await made.author.send('POST', `/api/safety/uploads/${made.client.id}`, { headers, body })).body
})

describe("a document's references", () => {
  test("references are saved in order with their notes, and returned with their targets' number, revision and title", async () => {
    const [a, b] = [await made.current(), await made.current()]
    const draft = await made.draft({ associated: [to(b, 'Read first'), { file: file['@id'] }, to(a)] })
    expect(draft.associated.map((r: { target: unknown }) => r.target)).toMatchObject([
      { '@id': documentIri(b), documentNumber: b.documentNumber, revision: 1, title: 'Roof repairs' },
      null,
      { '@id': documentIri(a) },
    ])
    const changed = await made.author.put(draft['@id'], { associated: draft.associated.toReversed() })
    expect(
      changed.body.associated.map((r: { target: CreatedDocument | null; notes: string }) => [r.target?.id, r.notes]),
    ).toEqual([
      [a.id, ''],
      [undefined, ''],
      [b.id, 'Read first'],
    ])
  })

  test("a reference is rejected if it is a duplicate, or if its target is the document itself, another client's, missing or of the wrong type", async () => {
    const other = await makeAssessments(portal)
    const theirs = await other.current()
    const a = await made.current()
    const talk = (await made.author.post('/api/safety/toolbox_talks', { title: 'Ladders', points: [{ text: 'x' }] }))
      .body
    const post = async (associated: unknown) =>
      refusals(await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment({ associated })))
    expect(await post([to(a), to(a)])).toEqual([422, `associated[1]: ${a.documentNumber} is listed twice`])
    expect(await post([to(talk)])).toEqual([
      422,
      `associated[0]: ${talk.documentNumber} is not of a type that can be added here`,
    ])
    expect(await post([{ notes: 'x' }])).toEqual([422, 'associated[0]: Please choose a document or a file'])
    expect(await post([{ ...to(a), file: file['@id'] }])).toEqual([
      422,
      'associated[0]: Please choose a document or a file',
    ])
    expect(await post([to(theirs)])).toEqual([400])
    const next = await made.act(a, 'revise')
    expect(refusals(await made.author.put(next['@id'], { associated: [to(a)] }))).toEqual([
      422,
      'associated[0]: A document can’t refer to itself',
    ])
  })

  test('the database rejects references to other clients, and changes to rows of a sealed document', async () => {
    const other = await makeAssessments(portal)
    const theirs = await other.current()
    const mine = await made.draft()
    const insert = (target: number, document: number) =>
      portal.db.tx('system', (tx) =>
        tx.rows(
          `INSERT INTO document_reference (client_id, document_id, field, target_id) VALUES ($1, $2, 'associated', $3)`,
          [made.client.id, document, target],
        ),
      )
    await expect(insert(theirs.id, mine.id)).rejects.toThrow(/target_client_id/)
    await expect(insert(mine.id, (await made.current()).id)).rejects.toThrow(/stand with it/)
  })
})

describe('references on completion', () => {
  test.each(['action', 'save', 'post'])(
    'on completion by %s, each reference stores the digest of its target',
    async (door) => {
      const a = await made.current()
      const associated = [to(a), { file: file['@id'] }]
      const done =
        door === 'post'
          ? (await made.author.post(ASSESSMENTS_URL, makeCompleteAssessment({ associated, complete: true }))).body
          : door === 'save'
            ? (await made.author.put((await made.draft())['@id'], { associated, complete: true })).body
            : await made.act(await made.draft({ associated }), 'complete')
      const { body } = await made.author.get(done['@id'])
      const kept = (await made.author.get(`/api/safety/uploaded_documents/${file.id}`)).body
      expect(body.associated.map((r: { digest: string }) => r.digest)).toEqual([a.seal, kept.checksum])
      expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
    },
  )

  test('references to drafts and to rejected, deleted or replaced documents are rejected with a message', async () => {
    const draft = await made.draft()
    const rejected = await made.act(await made.act(await made.draft(), 'complete'), 'reject', { note: 'No' })
    const gone = await made.act(await made.draft(), 'complete')
    await made.author.put(gone['@id'], { retired: true })
    const old = await made.current()
    const next = await made.act(old, 'revise')
    await made.act(next, 'complete')
    await made.act(next, 'approve')
    const mine = await made.draft({ associated: [draft, rejected, gone, old].map((one) => to(one)) })
    const refused = await made.author.post(`${mine['@id']}/complete`)
    expect(refusals(refused)).toEqual([
      422,
      `associated[0]: ${draft.documentNumber} revision 1 is not complete yet. Please complete it first, or remove the reference.`,
      `associated[1]: ${rejected.documentNumber} revision 1 was rejected. Please remove the reference.`,
      `associated[2]: ${gone.documentNumber} revision 1 has been deleted. Please remove the reference.`,
      `associated[3]: ${old.documentNumber} revision 1 was replaced: revision 2 is in force. Please use that revision or remove the reference.`,
    ])
    expect((await made.author.get(mine['@id'])).body.state).toBe('draft')
  })

  test("documents that refer to each other can't be sealed", async () => {
    const [one, other] = [await made.draft(), await made.draft()]
    const refer = async (from: typeof one, target: typeof one) =>
      expect((await made.author.put(from['@id'], { associated: [{ target: documentIri(target) }] })).status).toBe(200)
    await refer(one, other)
    await refer(other, one)
    for (const [it, waitsFor] of [
      [one, other],
      [other, one],
    ] as const) {
      const refused = await made.author.post(`${it['@id']}/complete`)
      expect([refused.status, refused.body.violations?.[0]]).toMatchObject([
        422,
        {
          propertyPath: 'associated[0]',
          message: expect.stringContaining(`${waitsFor.documentNumber} revision 1 is not complete`),
        },
      ])
    }
    expect((await made.author.put(one['@id'], { associated: [] })).status).toBe(200)
    expect((await made.author.post(`${one['@id']}/complete`)).status).toBe(200)
    expect((await made.author.post(`${other['@id']}/complete`)).status).toBe(200)
  })

  test("the next revision takes over its predecessor's references, but not their digests", async () => {
    const a = await made.current()
    const done = await made.act(await made.draft({ associated: [to(a)] }), 'complete')
    const next = await made.act(done, 'revise')
    expect(next.associated).toMatchObject([{ target: { id: a.id }, digest: null }])
    expect(next.associated[0].id).not.toBe(done.associated[0].id)
  })
})

describe('a tampered reference', () => {
  test.each([
    [
      'changed',
      (id: number) => `UPDATE document_reference SET notes = 'Other' WHERE document_id = ${id} AND position = 0`,
      /its reference 1 .* has been changed \(notes\)/,
    ],
    [
      'given a different digest',
      (id: number) => `UPDATE document_reference SET digest = 'f00' WHERE document_id = ${id} AND position = 0`,
      /its reference 1 .* has been changed \(digest\)/,
    ],
    [
      'moved',
      (id: number) => `UPDATE document_reference SET position = 1 - position WHERE document_id = ${id}`,
      /its reference 1 .* has been changed \(position\)/,
    ],
    [
      'removed',
      (id: number) => `DELETE FROM document_reference WHERE document_id = ${id} AND position = 0`,
      /its reference 1 .* is missing/,
    ],
    [
      'added',
      (id: number) =>
        `INSERT INTO document_reference (client_id, document_id, field, position, target_id, target_client_id) SELECT client_id, document_id, field, 7, target_id, target_client_id FROM document_reference WHERE document_id = ${id} AND position = 0`,
      /its reference 8 .* was added/,
    ],
    [
      'made to a file whose checksum has since changed',
      () => `UPDATE uploaded_document SET checksum = 'f00' WHERE id = ${file.id}`,
      /the file "sheet.csv" that it refers to has been changed/,
    ],
  ] as const)('verification detects a reference that was %s', async (_, forged, said) => {
    const sealed = await made.act(
      await made.draft({ associated: [to(await made.current()), { file: file['@id'] }] }),
      'complete',
    )
    const { broken } = await withForgery(
      portal,
      made.client.id,
      (tx) => tx.script(forged(sealed.id)),
      () => verifyEvidence(portal.engine, made.client.id),
    )
    expect(broken.join('\n')).toMatch(said)
  })
})

describe('titles of restricted documents', () => {
  const HIDDEN = 'A document you can’t access'

  test("pages, prints and packs of a referring document show a restricted document's number but not its title", async () => {
    const secret = await made.inForce(
      await made.draft({ description: 'Redundancies in the yard', audience: ['ROLE_CLIENT_ADMIN'] }),
    )
    const open = await made.inForce(await made.draft({ associated: [to(secret, 'See there')] }))
    const writer = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    const words = async (url: string, as: typeof made.author) => extractResponseText(await as.get(url))
    const pages = [`${open['@id']}/pdf`, `/api/safety/documents/pack?documents=${open.id}`]
    for (const [reader, told] of [
      [made.worker, HIDDEN],
      [writer, HIDDEN],
      [made.author, 'Redundancies in the yard'],
    ] as const) {
      const { target } = (await reader.get(open['@id'])).body.associated[0]
      expect(target).toMatchObject({ documentNumber: secret.documentNumber, revision: 1, seal: secret.seal })
      expect(target.title).toBe(told === HIDDEN ? null : told)
      expect(Object.keys(target)).not.toContain('audience')
      for (const page of reader === made.worker ? pages.slice(0, 1) : pages) {
        const said = await words(page, reader)
        expect(said).toContain(told)
        expect(said).toContain(secret.documentNumber)
        if (told === HIDDEN) expect(said).not.toContain('Redundancies')
      }
    }
    const [print] = (await made.author.get(`/api/safety/document_prints?document=${open.id}`)).body['hydra:member']
    expect((await made.author.get(`${print['@id']}/pdf`)).status).toBe(200)
    expect((await writer.get(`${print['@id']}/pdf`)).body.detail).toBe(
      'This PDF contains the title of a document that is not available to you.',
    )
    expect((await writer.get('/api/safety/document_references')).text).not.toContain('Redundancies')
  })

  test('the title of a replaced document is shown to users who were in its audience', async () => {
    const old = await made.current()
    const open = await made.inForce(await made.draft({ associated: [to(old)] }))
    await made.inForce(await made.act(old, 'revise'))
    expect((await made.worker.get(open['@id'])).body.associated[0].target.title).toBe('Roof repairs')
  })
})

describe('where a revision or file is used', () => {
  test('a revision lists the revisions that refer to it, including drafts only for users who may see them', async () => {
    const a = await made.current()
    const draft = await made.draft({ associated: [to(a)] })
    const sealed = await made.act(await made.draft({ associated: [to(a)] }), 'complete')
    const inForce = await made.act(await made.act(await made.draft({ associated: [to(a)] }), 'complete'), 'approve')
    expect(await usersOf(documentIri(a))).toEqual([inForce.id, sealed.id, draft.id])
    expect(await usersOf(documentIri(a), made.worker)).toEqual([inForce.id])
    const other = await makeAssessments(portal)
    expect((await other.author.get(`${documentIri(a)}/where_used`)).status).toBe(404)
    const page = await made.author.get(`${documentIri(a)}/where_used?itemsPerPage=2`)
    expect([page.body['hydra:totalItems'], page.body['hydra:member'].length]).toEqual([3, 2])
  })

  test('a file lists its uses in references and in file fields of forms, with or without a label', async () => {
    const { headers, body } = makeUploadForm('Used\n1\n', 'used.csv')
    const used = (await made.author.send('POST', `/api/safety/uploads/${made.client.id}`, { headers, body })).body
    const referring = await made.draft({ associated: [{ file: used['@id'] }] })
    const listing = await made.draft({ uploadedDocuments: [used['@id']] })
    const labelled = await made.draft({ uploadedDocuments: [{ '@id': used['@id'], label: 'Yard' }] })
    expect(labelled.uploadedDocuments).toEqual([{ '@id': used['@id'], label: 'Yard' }])
    expect(await usersOf(used['@id'])).toEqual([labelled.id, listing.id, referring.id])
    // A worker can read a file that a document in force uses, but not a file that only drafts use.
    expect((await made.worker.get(`${used['@id']}/where_used`)).status).toBe(404)
    await made.act(await made.act(referring, 'complete'), 'approve')
    expect(await usersOf(used['@id'], made.worker)).toEqual([referring.id])
    const refused = await made.author.put(used['@id'], { retired: true })
    expect([refused.status, refused.body.detail]).toEqual([
      409,
      `${referring.documentNumber} revision 1 was sealed with this file, so the file can’t be retired.`,
    ])
  })
})

test('the PDF states the number, revision, title, fingerprint and date of each reference', async () => {
  const a = await made.current()
  const sealed = await made.act(
    await made.draft({ associated: [to(a, 'Read first'), { file: file['@id'] }] }),
    'complete',
  )
  const printed = async () => extractResponseText(await made.author.get(`${sealed['@id']}/pdf`))
  const before = await printed()
  expect(before).toContain('Associated Risk Assessments')
  expect(before).toMatch(
    new RegExp(`${a.documentNumber} 1 Roof repairs Read first ${a.seal.slice(0, 8)} \\d+ \\w+ \\d{4}`),
  )
  expect(before).toContain(`File sheet.csv ${sealed.associated[1].digest.slice(0, 8)}`)
  const next = await made.act(a, 'revise')
  await made.author.put(next['@id'], { description: 'Something else' })
  await made.act(next, 'complete')
  await made.act(next, 'approve')
  await made.act(sealed, 'approve')
  expect(await printed()).toContain(`${a.documentNumber} 1 Roof repairs`)
})

describe('a newer revision of a referenced document', () => {
  const renew = async (old: CreatedDocument) => {
    const next = await made.act(old, 'revise')
    await made.act(next, 'complete')
    return made.act(next, 'approve')
  }
  const outdated = async () =>
    (await made.author.get('/api/safety/documents/refers_to_replaced')).body['hydra:member'].map(
      (d: CreatedDocument) => d.id,
    )

  test("the author is notified of a referenced document's newer revision and can update the draft with one action", async () => {
    const a = await made.current()
    const draft = await made.draft({ associated: [to(a, 'Net cash')] })
    expect(await outdated()).not.toContain(draft.id)
    const now = await renew(a)
    expect(await outdated()).toContain(draft.id)
    expect((await made.author.get(`${documentIri(draft)}/newer`)).body['hydra:member']).toEqual([
      { '@id': documentIri(now), documentNumber: a.documentNumber, from: 1, to: 2 },
    ])
    const taken = await made.author.post(`${documentIri(draft)}/take_newer`)
    expect([taken.status, taken.body.id]).toEqual([200, draft.id])
    expect(taken.body.associated).toMatchObject([{ target: { id: now.id, revision: 2 }, notes: 'Net cash' }])
    expect(await outdated()).not.toContain(draft.id)
  })

  test('updating a reference of a document in force changes the next draft, not the document in force', async () => {
    const a = await made.current()
    const inForce = await made.act(await made.act(await made.draft({ associated: [to(a)] }), 'complete'), 'approve')
    const now = await renew(a)
    const { body: next } = await made.author.post(`${documentIri(inForce)}/take_newer`)
    expect(next).toMatchObject({ state: 'draft', revision: 2, associated: [{ target: { id: now.id } }] })
    expect((await made.author.get(inForce['@id'])).body.associated).toMatchObject([{ target: { id: a.id } }])
    // A second request updates the existing draft instead of creating another.
    expect((await made.author.post(`${documentIri(inForce)}/take_newer`)).body.id).toBe(next.id)
    expect((await made.worker.post(`${documentIri(inForce)}/take_newer`)).status).toBe(403)
  })
})
