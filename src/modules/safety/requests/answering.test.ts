import { beforeAll, describe, expect, test } from 'vitest'
import { moveClock } from '#server/engine/clock.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { makeAssessments } from '#test/support/assessments.ts'
import { makeFilePortal, type TestFileClient } from '#test/support/files.ts'
import type { TestApi, TestResponse } from '#test/support/portal.ts'
import { ramsRequestSecretLink } from './letters.server.ts'

const { portal, office, person, stored } = await makeFilePortal({ FILES_MAX_MB: '25' })
const REQUESTS = '/api/safety/rams_requests'
const RECEIVED = '/api/safety/rams_received'
const PACKS = '/api/safety/rams_packs'

type Firm = Awaited<ReturnType<typeof makeFirm>>

const ok = <T extends TestResponse>(answer: T, status = 200): T['body'] => {
  expect([answer.status, answer.text]).toEqual([status, expect.anything()])
  return answer.body
}
const day = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()

/** Creates a subcontractor that is also a client and has a pack in force. */
async function makeFirm() {
  const firm = await makeAssessments(portal)
  const draft = async () => {
    const papers = [{ target: `/api/safety/documents/${(await firm.current()).id}`, notes: 'The roof' }]
    const body = { description: 'Re-roofing Unit 4', location: 'Unit 4', supervisor: 'Ann', papers }
    return ok(await firm.author.post(PACKS, body), 201)
  }
  return { ...firm, draftPack: draft, pack: await firm.inForce(await draft()) }
}
/** Creates a company with a RAMS request. Returns both, with the API URL for the request's secret link. */
async function asked() {
  const there = await office()
  const request = ok(
    await there.admin.api.post(REQUESTS, {
      company: 'Slate & Sons',
      person: 'Sam Slate',
      email: 'sam@slate.example',
      job: 'Re-roofing Unit 4',
      due: day(7),
    }),
    201,
  )
  const link = await ramsRequestSecretLink.make(portal.engine, there.client.id, { request: request.id })
  return { ...there, request, at: `/api/safety/asked_rams/${link?.split('/rams-asked/')[1]}` }
}
const answer = (as: TestApi, at: string, { id }: { readonly id: number }, body = {}) =>
  as.post(`${at}/packs/${id}`, body)
const received = async ({ admin }: TestFileClient) => ok(await admin.api.get(RECEIVED))['hydra:member']

let firm: Firm
beforeAll(async () => {
  firm = await makeFirm()
})

describe('a subcontractor with an account', () => {
  test("a subcontractor's response reaches the requesting company unchanged and is sealed in both companies' audit chains", async () => {
    const there = await asked()
    const sent = ok(await answer(firm.author, there.at, firm.pack, { notes: 'Lift plan to come' }), 201)
    expect(sent.asked).toMatchObject({ state: 'received', sent: [{ version: 1 }] })
    const [version] = await received(there)
    expect(version).toMatchObject({
      sender: 'Ada Admin',
      company: 'Lifecycle Ltd',
      notes: 'Lift plan to come',
      type: 'application/pdf',
      name: expect.stringContaining(`Pack ${firm.pack.documentNumber}`),
    })
    const theirs = await there.admin.bytes(`${version['@id']}/file`)
    const own = await portal.app.inject({
      url: `/api/safety/documents/${firm.pack.id}/pack`,
      headers: { authorization: `Bearer ${await tokenOf(firm)}` },
    })
    expect([own.statusCode, theirs.body.equals(own.rawPayload)]).toEqual([200, true])
    // The requesting company can't access any other data of the subcontractor.
    for (const url of [firm.pack['@id'], `${firm.pack['@id']}/pdf`, `/api/safety/documents/${firm.pack.id}/pack`])
      expect([url, (await there.admin.api.get(url)).status]).toEqual([url, 404])
    await portal.drain()
    const sendings = await firm.author.get(
      `/api/safety/document_sendings?document=/api/safety/documents/${firm.pack.id}`,
    )
    expect(ok(sendings)['hydra:member']).toMatchObject([
      { message: 'Lift plan to come', checksum: version.checksum, author: expect.any(String) },
    ])
    for (const { id } of [there.client, firm.client])
      expect((await verifyEvidence(portal.engine, id)).broken).toEqual([])
    ok(await there.admin.api.post(`${there.request['@id']}/accept`, { version: 1, files: 1 }))
  })

  test("a subcontractor can respond only with its own company's packs that are in force", async () => {
    const there = await asked()
    const [other, draft] = [await makeFirm(), await firm.draftPack()]
    const assessment = await firm.current()
    const worker = firm.worker
    for (const [as, pack, status] of [
      [firm.author, other.pack, 404],
      [firm.author, { id: 999_999_999 }, 404],
      [firm.author, assessment, 404],
      [firm.author, draft, 409],
      [worker, firm.pack, 403],
      [portal.anonymous, firm.pack, 401],
    ] as const)
      expect([pack.id, (await answer(as, there.at, pack)).status]).toEqual([pack.id, status])
    const own = await there.admin.api.get(there.at)
    expect(ok(own).asked.sent).toEqual([])
    expect(stored(there.client)).toEqual([])
    expect((await answer(there.admin.api, there.at, firm.pack)).status).toBe(409)
  })

  test("a subcontractor's response is refused if the link is invalid, the request is closed or the pack was already received", async () => {
    const there = await asked()
    const wrong = `${there.at.slice(0, -32)}${'A'.repeat(32)}`
    const guess = await answer(firm.author, wrong, firm.pack)
    expect([guess.status, guess.text.includes('Slate')]).toEqual([404, false])
    ok(await answer(firm.author, there.at, firm.pack), 201)
    expect((await answer(firm.author, there.at, firm.pack)).status).toBe(409)
    expect(await received(there)).toHaveLength(1)
    expect(stored(there.client)).toHaveLength(1)
    ok(await there.admin.api.post(`${there.request['@id']}/accept`, { version: 1, files: 1 }))
    expect((await answer(firm.author, there.at, firm.pack)).status).toBe(409)
    const withdrawn = await asked()
    ok(await withdrawn.admin.api.post(`${withdrawn.request['@id']}/withdraw`))
    expect((await answer(firm.author, withdrawn.at, firm.pack)).status).toBe(409)
    const old = await asked()
    try {
      await moveClock(portal.engine, 40)
      const late = await answer(firm.author, old.at, firm.pack)
      expect([late.status, late.text]).toEqual([409, expect.stringContaining('This link expired on')])
    } finally {
      await moveClock(portal.engine, 0)
    }
  })

  test("a subcontractor's response contains the revision in force at the time, and a later revision is added as a new version", async () => {
    const there = await asked()
    const pack = await firm.inForce(await firm.draftPack())
    ok(await answer(firm.author, there.at, pack), 201)
    const newer = await firm.inForce(await firm.act(pack, 'revise'))
    expect((await answer(firm.author, there.at, pack)).status).toBe(409)
    ok(await answer(firm.author, there.at, newer), 201)
    expect((await received(there)).map((v: { name: string }) => v.name)).toHaveLength(2)
  })
})

async function tokenOf({ client }: Firm): Promise<string> {
  const { user } = await person(client, 'ROLE_CLIENT_ADMIN')
  const { token } = await portal.sessions.open(
    { clientId: client.id, userId: user.id },
    { address: '127.0.0.1', agent: 'test', browser: false },
  )
  return token
}
