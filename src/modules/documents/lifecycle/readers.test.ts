import { expect, test } from 'vitest'
import { documentIri, makeAssessments, makeCompleteAssessment } from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { client, author, worker } = await makeAssessments(portal)
const colleague = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
const LIST = '/api/safety/risk_assessments'
const DOCUMENTS = '/api/safety/documents'

interface CreatedPolicy {
  readonly '@id': string
  readonly id: number
  readonly documentNumber: string
}
interface Count {
  readonly value: string
  readonly count: number
}
const HIDDEN = 'Zirconium'

/** Inserts an uploaded file for each document. */
async function makeFiles() {
  const file = async (n: number) => {
    const [row] = await portal.db.tx('owner', (tx) =>
      tx.rows<{ id: number }>(
        `INSERT INTO uploaded_document (client_id, name, type, size, checksum, author, user_id, file_key)
         VALUES ($1, $2, 'text/plain', 1, 'x', 'ada', 1, $3) RETURNING id`,
        [client.id, `${HIDDEN} ${n}`, `${client.id}/00000000-0000-4000-8000-00000000000${n}`],
      ),
    )
    return `/api/safety/uploaded_documents/${row?.id}`
  }
  return Promise.all([1, 2, 3, 4, 5].map(file))
}

/**
 * Creates documents in every state except current, and two documents in force, one of which replaces an earlier
 * revision.
 */
async function makePapers(by: TestApi, words: (n: number) => Record<string, unknown> = () => ({})) {
  const draft = async (n: number): Promise<CreatedPolicy> =>
    (await by.post(LIST, makeCompleteAssessment({ description: HIDDEN, ...words(n) }))).body
  const act = async (one: CreatedPolicy, action: string, input = {}): Promise<CreatedPolicy> => {
    const answer = await by.post(`${one['@id']}/${action}`, input)
    expect([action, answer.status]).toEqual([action, 200])
    return answer.body
  }
  const inForce = async (one: CreatedPolicy) => act(await act(one, 'complete'), 'approve')
  const unfinished = await draft(0)
  const waiting = await act(await draft(1), 'complete')
  const rejected = await act(await act(await draft(2), 'complete'), 'reject', { note: 'Not set' })
  const withdrawn = await act(await inForce(await draft(3)), 'withdraw', { note: 'Wrong' })
  const replaced = await inForce(await draft(5))
  const next = await inForce(await act(replaced, 'revise'))
  const followed = await inForce(await draft(4))
  return { hidden: [unfinished, waiting, rejected, withdrawn, replaced], next, followed }
}

test('users with a role below author can read only documents in force, by any route', async () => {
  const files = await makeFiles()
  const { hidden, next, followed } = await makePapers(author, (n) => ({
    uploadedDocuments: files[n] ? [files[n]] : [],
  }))
  for (const paper of hidden) {
    const { id } = paper
    for (const url of [paper['@id'], `${paper['@id']}/pdf`, `${DOCUMENTS}/${id}`, `${LIST}/revision/${id}`])
      expect([paper.documentNumber, url, (await worker.get(url)).status]).toEqual([paper.documentNumber, url, 404])
    // The lists of related records show nothing for a document that the worker can't read.
    for (const list of ['signatures', 'risk_items', 'document_prints', 'seals', 'document_sendings']) {
      const found = await worker.get(
        `/api/safety/${list}?document=${list === 'risk_items' ? paper['@id'] : `${DOCUMENTS}/${id}`}`,
      )
      expect([list, found.status === 403 || found.body['hydra:totalItems'] === 0]).toEqual([list, true])
    }
    const signed = await worker.post('/api/safety/signatures', { document: `${DOCUMENTS}/${id}`, method: 'typed' })
    expect(signed.status).toBe(400)
  }
  const everything = '?itemsPerPage=100'
  const lists = [
    LIST,
    `${LIST}/list`,
    `${LIST}/list_associated`,
    `${LIST}/templates`,
    DOCUMENTS,
    `${DOCUMENTS}/to_sign`,
  ]
  for (const url of lists) {
    const found = (await worker.get(`${url}${everything}`)).body['hydra:member'] as { id: number; current: boolean }[]
    expect([url, found.filter((m) => !m.current)]).toEqual([url, []])
    expect([url, found.some((m) => m.id === followed.id)]).toEqual([url, !url.endsWith('/templates')])
  }
  // Search results, exports and counts include only documents in force.
  expect((await worker.get(`${DOCUMENTS}?q=${HIDDEN}`)).body['hydra:totalItems']).toBe(2)
  const csv = (await worker.get(`${LIST}/export.csv?client=${client.id}`)).text
  expect([csv.includes(followed.documentNumber), hidden.some((h) => csv.includes(`${h.documentNumber},1`))]).toEqual([
    true,
    false,
  ])
  const { counts } = (await worker.get(`${LIST}/counts?by=state`)).body as {
    counts: { value: string; count: number }[]
  }
  expect(counts.filter(({ count }) => count > 0).map(({ value }) => value)).toEqual(['current'])
  const history = (await worker.get(`${LIST}/revision/${next.id}`)).body['hydra:member']
  expect(history.map((r: { revision: number }) => r.revision)).toEqual([2])
  const reach = await Promise.all(files.map(async (iri) => (await worker.get(iri)).status))
  expect(reach).toEqual([404, 404, 404, 404, 200])
})

test('client users can read a provider document only if it is in force, by any route', async () => {
  const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
  const { hidden, next, followed } = await makePapers(keeper, () => ({ isTemplate: true }))
  for (const api of [author, colleague, worker]) {
    for (const { '@id': iri, id } of hidden) {
      const doors = ['', '/pdf', '/copy', '/review', `/${client.id}/copyTo`].map((door) => `${iri}${door}`)
      const more = ['', '/where_used', '/newer', '/pack'].map((door) => `${DOCUMENTS}/${id}${door}`)
      for (const url of [...doors, ...more, `${LIST}/revision/${id}`, `${LIST}/copies/${id}`])
        expect([url, [403, 404].includes((await api.get(url)).status)]).toEqual([url, true])
      expect([403, 404]).toContain((await api.get(`${DOCUMENTS}/pack?documents=${id}`)).status)
      const lines = await api.get(`/api/safety/risk_items?document=${iri}`)
      expect(lines.body['hydra:totalItems'] ?? 0).toBe(0)
      if (api === worker) continue
      expect((await api.post(LIST, makeCompleteAssessment({ origin: documentIri({ id }) }))).status).toBe(400)
      expect(
        (await api.post(LIST, makeCompleteAssessment({ associated: [{ target: documentIri({ id }) }] }))).status,
      ).toBe(400)
    }
    const everything = '?itemsPerPage=100'
    const shown = [followed.id, next.id]
    for (const url of [LIST, `${LIST}/templates`, DOCUMENTS]) {
      const ids = (await api.get(`${url}${everything}`)).body['hydra:member'].map((m: CreatedPolicy) => m.id)
      const mine = ids.filter((id: number) => [...shown, ...hidden.map((h) => h.id)].includes(id))
      expect([url, mine]).toEqual([url, shown])
    }
    const csv = (await api.get(`${LIST}/export.csv${everything}&isTemplate=true`)).text
    expect(csv.split('\n').filter((line) => line.includes(HIDDEN))).toHaveLength(2)
    const { counts } = (await api.get(`${LIST}/counts?by=state&isTemplate=true`)).body as { counts: Count[] }
    expect(counts.filter(({ count }) => count > 0).map(({ value }) => value)).toEqual(['current'])
  }
})

test("an author can read sealed documents but not a colleague's draft", async () => {
  const { hidden } = await makePapers(author)
  const statuses = await Promise.all(hidden.map(async (paper) => (await colleague.get(paper['@id'])).status))
  expect(statuses).toEqual([404, 200, 200, 200, 200])
})

test('a rejected document is listed as rejected, not as deleted', async () => {
  const own = await makeAssessments(portal)
  const rejected = await own.draft()
  await own.author.post(`${rejected['@id']}/complete`)
  await own.author.post(`${rejected['@id']}/reject`, { note: 'Not set' })
  const deleted = await own.draft()
  await own.author.put(deleted['@id'], { retired: true })
  const found = async (query: string) =>
    (await own.author.get(`${LIST}?client=${own.client.id}&${query}`)).body['hydra:member'].map(
      (m: CreatedPolicy) => m.id,
    )
  expect(await found('state=rejected')).toEqual([rejected.id])
  const others = ['draft', 'complete', 'current', 'replaced'].map((state) => `state[]=${state}`).join('&')
  expect(await found(`retired=true&${others}`)).toEqual([deleted.id])
  const restored = await own.author.put(rejected['@id'], { retired: false })
  expect([restored.status, restored.body.detail]).toEqual([
    409,
    'RA-0001 revision 1 was rejected. Start the next revision to correct it.',
  ])
})
