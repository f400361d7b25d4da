import { expect, test } from 'vitest'
import { makeAssessments } from '#test/support/assessments.ts'
import { type TestApi, type TestResponse, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const { author, worker, draft } = await makeAssessments(portal)

const documentOf = ({ id }: { id: number }) => `/api/safety/documents/${id}`
const sign = (who: TestApi, on: { id: number }, more: Record<string, unknown> = {}) =>
  who.post('/api/safety/signatures', { document: documentOf(on), method: 'typed', ...more })
const refusal = ({ status, body }: TestResponse) => [status, body.violations?.[0]?.message ?? body.detail]

test("a template can't be signed by any route, and turning a document into a template ends its signature requests", async () => {
  const inForce = async (words: Record<string, unknown>, id?: string) => {
    const made = id ? (await author.post(`${id}/revise`, { reason: 'New ladder' })).body : await draft()
    expect((await author.put(made['@id'], words)).status).toBe(200)
    await author.post(`${made['@id']}/complete`)
    expect((await author.post(`${made['@id']}/approve`, {})).status).toBe(200)
    return made as { '@id': string; id: number }
  }
  const template = await inForce({ isTemplate: true })
  const NOBODY = 'Templates can’t be signed. Create your own document from it first.'
  for (const who of [author, worker]) expect(refusal(await sign(who, template))).toEqual([409, NOBODY])
  expect(refusal(await sign(author, template, { name: 'Vic Visitor', visitor: true }))).toEqual([409, NOBODY])
  const asked = (on: { id: number }) =>
    author.post('/api/safety/sign_offs', { document: documentOf(on), everybody: true, due: '2099-01-01' })
  expect((await asked(template)).status).toBe(409)
  await expect(
    portal.db.tx('system', (tx) =>
      tx.rows(
        "INSERT INTO signature (client_id, document_id, place, name, method) SELECT client_id, id, 1, 'Eve', 'typed' FROM document WHERE id = $1",
        [template.id],
      ),
    ),
  ).rejects.toThrow('a template is signed by nobody')

  const paper = await inForce({})
  const request = (await asked(paper)).body
  expect(request.state).toBe('open')
  await inForce({ isTemplate: true }, paper['@id'])
  expect((await author.get(request['@id'])).body.state).toBe('cancelled')
})
