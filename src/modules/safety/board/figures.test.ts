import { beforeAll, describe, expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments, makeCompleteAssessment, makeHazards } from '#test/support/assessments.ts'
import { type TestApi, type TestClient, testPortal } from '#test/support/portal.ts'
import { documentApiUrl, SIGN_OFFS_URL, TALKS_URL } from '#test/support/sign-offs.ts'
import {
  RESELLER_CLIENT_FIGURES_PATH,
  type ResellerClientFigures,
  SAFETY_FIGURES_PATH,
  type SafetyFigures,
  type SafetyTask,
} from './figures.ts'

const portal = await testPortal()
const day = (days: number) =>
  portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().add({ days }).toString()
/** Returns hazard lines with the given residual probability. */
const left = (probability: number) =>
  makeHazards().map((line) => ({ ...line, residualProbability: probability, residualReason: 'No other way' }))

/** List filters that must find exactly as many documents as the board counts. */
const TASK_FILTERS: Record<SafetyTask, Record<string, string>> = {
  late: { retired: 'false', current: 'true', 'reviewDue[strictly_before]': day(0) },
  soon: { retired: 'false', current: 'true', 'reviewDue[after]': day(0), 'reviewDue[before]': day(30) },
  approve: { retired: 'false', state: 'complete' },
  unsigned: { retired: 'false', waiting: 'true' },
}
const LISTS = { risk_assessment: ASSESSMENTS_URL, toolbox_talk: TALKS_URL }

/** Creates a company with documents in many states. Returns its administrator, a worker and the expected counts. */
async function company(resellerId?: number) {
  const made = await makeAssessments(portal)
  if (resellerId !== undefined)
    await portal.db.tx('system', (tx) =>
      tx.rows('UPDATE client SET reseller_id = $1 WHERE id = $2', [resellerId, made.client.id]),
    )
  const approved = async (more: Record<string, unknown>, reviewDue?: string) => {
    const one = await made.act(await made.draft(more), 'complete')
    const current = await made.act(one, 'approve')
    return reviewDue ? (await made.author.put(current['@id'], { reviewDue })).body : current
  }
  const talk = async () => {
    const { body } = await made.author.post(TALKS_URL, { title: 'Ladders', points: [{ text: 'Look up.' }] })
    return made.inForce(body)
  }
  await approved({ location: 'Unit 4', controls: left(2) }, day(-3))
  await approved({ location: 'Unit 4', controls: left(2) }, day(12))
  await approved({ location: 'Unit 40', controls: left(2) }, day(200))
  await approved({ location: 'Unit 4', controls: left(1) }, day(30))
  await made.draft({ location: 'Unit 4', controls: left(2) })
  await made.act(await made.draft(), 'complete')
  const asked = await talk()
  await made.author.post(SIGN_OFFS_URL, { document: documentApiUrl(asked), due: day(14), everybody: true })
  return { ...made, asked }
}

type Company = Awaited<ReturnType<typeof company>>
let firm: Company
let carried: Company
let reseller: TestClient
let grace: TestApi

beforeAll(async () => {
  reseller = await portal.client({ isReseller: true })
  grace = reseller.as(await reseller.user({ roles: ['ROLE_RESELLER'] }))
  firm = await company()
  carried = await company(reseller.id)
})

const own = async (who: TestApi) => (await who.get(SAFETY_FIGURES_PATH)).body as SafetyFigures
const total = async (who: TestApi, list: string, query: Record<string, string>) =>
  (await who.get(`${list}?${new URLSearchParams({ ...query, itemsPerPage: '1' })}`)).body['hydra:totalItems'] as number

describe("a company's safety figures", () => {
  test('each safety figure equals the total of the document list filtered for that figure', async () => {
    const found = await own(firm.author)
    expect(found.toDo.map(({ task, kind, documents }) => [task, kind, documents]).toSorted()).toEqual([
      ['approve', 'risk_assessment', 1],
      ['late', 'risk_assessment', 1],
      ['soon', 'risk_assessment', 2],
      ['unsigned', 'toolbox_talk', 1],
    ])
    for (const { task, kind, documents } of found.toDo) {
      const query = { ...TASK_FILTERS[task], client: String(firm.client.id) }
      expect(await total(firm.author, LISTS[kind as keyof typeof LISTS], query)).toBe(documents)
    }
    expect(found.toDo.find((t) => t.task === 'unsigned')?.signatures).toBe(2)
    expect(found.inForce.toSorted((a, b) => a.kind.localeCompare(b.kind))).toEqual([
      { kind: 'risk_assessment', documents: 4 },
      { kind: 'toolbox_talk', documents: 1 },
    ])
    for (const { kind, documents } of found.inForce) {
      const query = { state: 'current', deleted: 'false', client: String(firm.client.id) }
      expect(await total(firm.author, LISTS[kind as keyof typeof LISTS], query)).toBe(documents)
    }
  })

  test('high residual risks are counted by exact site, as in the filtered list of assessments', async () => {
    const { highRisk } = await own(firm.author)
    expect(highRisk).toEqual([
      { site: 'Unit 4', documents: 2 },
      { site: 'Unit 40', documents: 1 },
    ])
    const high = { current: 'true', retired: 'false', highRisk: 'true' }
    for (const { site, documents } of highRisk)
      expect(await total(firm.author, ASSESSMENTS_URL, { ...high, 'location[exact]': site ?? '' })).toBe(documents)
    expect(await total(firm.author, ASSESSMENTS_URL, { ...high, location: 'Unit 4' })).toBe(3)
  })

  test('retired hazard lines of an assessment are not counted as high residual risks', async () => {
    const made = await firm.draft({ location: 'Unit 9', controls: left(2) })
    const [head, control] = made.controls
    const kept = {
      ...makeCompleteAssessment({ location: 'Unit 9' }),
      controls: [...makeHazards('Dust'), { ...head, retired: true }, { ...control, retired: true }],
    }
    expect((await firm.author.put(made['@id'], kept)).status).toBe(200)
    await firm.inForce(made)
    expect((await own(firm.author)).highRisk.map((s) => s.site)).not.toContain('Unit 9')
  })

  test('only document authors can read the safety figures, and only those of their own company', async () => {
    const other = await portal.client()
    const found = await own(other.as(await other.user({ roles: ['ROLE_SAFETY_ADMIN'] })))
    expect([found.toDo, found.highRisk]).toEqual([[], []])
    for (const who of [firm.worker, grace]) expect((await who.get(SAFETY_FIGURES_PATH)).status).toBe(403)
    expect((await portal.anonymous.get(SAFETY_FIGURES_PATH)).status).toBe(401)
    const without = await portal.client({ packs: [] })
    const ada = without.as(await without.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    expect((await ada.get(SAFETY_FIGURES_PATH)).status).toBe(403)
  })
})

describe("the safety figures of a reseller's clients", () => {
  test('a reseller gets the safety figures of each of their own clients and of no other client', async () => {
    const { status, body } = await grace.get(RESELLER_CLIENT_FIGURES_PATH)
    expect(status).toBe(200)
    const found = body as ResellerClientFigures
    expect(new Set(found.toDo.map((t) => t.client))).toEqual(new Set([carried.client.id]))
    const theirs = await own(carried.author)
    expect(found.toDo).toEqual(
      expect.arrayContaining(theirs.toDo.map((one) => ({ ...one, client: carried.client.id }))),
    )
    expect(found.toDo).toHaveLength(theirs.toDo.length)
  })

  test("a reseller who can read a client's safety figures can't read the client's documents", async () => {
    for (const url of [ASSESSMENTS_URL, TALKS_URL, '/api/safety/documents', `${carried.asked['@id']}`])
      expect([403, 404]).toContain((await grace.get(url)).status)
    const other = await portal.client({ isReseller: true })
    const stranger = other.as(await other.user({ roles: ['ROLE_RESELLER'] }))
    expect((await stranger.get(RESELLER_CLIENT_FIGURES_PATH)).body.toDo).toEqual([])
    // A user whose only role is ROLE_RESELLER, in a company without clients.
    const member = carried.client.as(await carried.client.user({ roles: ['ROLE_RESELLER'] }))
    expect((await member.get(RESELLER_CLIENT_FIGURES_PATH)).body.toDo).toEqual([])
    for (const who of [carried.author, carried.worker])
      expect((await who.get(RESELLER_CLIENT_FIGURES_PATH)).status).toBe(403)
    expect((await portal.anonymous.get(RESELLER_CLIENT_FIGURES_PATH)).status).toBe(401)
  })
})
