import { afterEach, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  makeAssessments,
  makeCompleteAssessment,
  makeHazards,
} from '#test/support/assessments.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { DEFAULT_RISK_MATRIX, type RiskBandRequirement } from './bands.ts'
import { normaliseRiskBands } from './validate-matrix.ts'

const portal = await testPortal()
const MATRICES = '/api/safety/risk_matrices'
const keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))

/** Returns bands with the given requirements, with the mark added to the band names. */
const bands = (demands: readonly RiskBandRequirement[], mark = '!') =>
  normaliseRiskBands(DEFAULT_RISK_MATRIX.bands)!.map((b, i) => ({
    ...b,
    name: `${b.name}${mark}`,
    demands: demands[i] ?? 'accept',
  }))
const HARD = bands(['accept', 'reduce', 'reduce', 'stop'])
/** Returns hazard lines with the given residual risk. */
const left = (p: number, s: number, more: object = {}) =>
  makeHazards().map((line) => ({
    ...line,
    severity: 5,
    probability: 5,
    residualProbability: p,
    residualSeverity: s,
    ...more,
  }))
const settingsOf = async (as: TestApi, made: { readonly '@id': string }) =>
  (await as.get(`${made['@id']}/form`)).body.settings
const names = (matrix: { bands: { name: string }[] }) => matrix.bands.map((b) => b.name)
const refusalOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  ...((body.violations as { propertyPath: string }[] | undefined) ?? []).map((v) => v.propertyPath),
]

afterEach(async () => {
  await portal.db.tx('system', (tx) => tx.script('DELETE FROM risk_matrix WHERE client_id = 0'))
})

describe("a company's risk matrix", () => {
  test("only approvers can create a company's risk matrix, a company has at most one, and other companies can't see it", async () => {
    const { client, author, worker } = await makeAssessments(portal)
    const writer = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    for (const as of [worker, writer]) expect((await as.post(MATRICES, { bands: HARD })).status).toBe(403)
    const made = await author.post(MATRICES, { bands: HARD, severity: [' Scratch ', 'Cut', 'Break', 'Loss', 'Death'] })
    expect([made.status, made.body.severity, made.body.bands]).toEqual([
      201,
      ['Scratch', 'Cut', 'Break', 'Loss', 'Death'],
      HARD,
    ])
    for (const as of [worker, writer]) {
      expect((await as.put(made.body['@id'], { bands: null })).status).toBe(403)
      expect((await as.get(made.body['@id'])).body.bands).toEqual(HARD)
    }
    expect(refusalOf(await author.post(MATRICES, {}))).toEqual([422, 'bands'])
    const doors: ((iri: string, body: object) => ReturnType<TestApi['put']>)[] = [
      (iri, body) => author.put(iri, body as Record<string, unknown>),
      (iri, body) => author.patch(iri, body as Record<string, unknown>),
    ]
    for (const write of doors) {
      expect(refusalOf(await write(made.body['@id'], { bands: HARD.slice(1) }))[0]).toBe(422)
      expect(
        refusalOf(await write(made.body['@id'], { bands: HARD.with(2, { ...HARD[2]!, demands: 'accept' }) })),
      ).toEqual([422, 'bands[2].demands'])
      expect(refusalOf(await write(made.body['@id'], { probability: ['One'] }))).toEqual([422, 'probability'])
      for (const said of [5, null, { a: 1 }, ['Low']])
        for (const part of ['name', 'rule'] as const) {
          const odd = HARD.with(1, { ...HARD[1]!, [part]: said as never })
          expect(refusalOf(await write(made.body['@id'], { bands: odd }))).toEqual([422, `bands[1].${part}`])
          expect(refusalOf(await author.post(MATRICES, { bands: odd }))).toEqual([422, `bands[1].${part}`])
        }
    }
    const stranger = await makeAssessments(portal)
    expect((await stranger.author.get(made.body['@id'])).status).toBe(404)
    expect((await stranger.author.put(made.body['@id'], { bands: null })).status).toBe(404)
    expect((await stranger.author.get(MATRICES)).body['hydra:totalItems']).toBe(0)
    expect(names((await settingsOf(stranger.author, await stranger.draft())).matrix)).toEqual(
      names(DEFAULT_RISK_MATRIX as never),
    )
  })

  test('parts of the risk matrix that the company has not set are taken from the provider', async () => {
    const { author, draft } = await makeAssessments(portal)
    const plain = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    expect((await plain.post(MATRICES, { bands: HARD })).status).toBe(403)
    const usual = (await keeper.post(MATRICES, { bands: HARD })).body
    const made = await draft()
    expect(names((await settingsOf(author, made)).matrix)).toEqual(names({ bands: HARD }))
    expect((await author.put(usual['@id'], { bands: null })).status).toBeGreaterThanOrEqual(403)
    const words = ['A', 'B', 'C', 'D', 'E']
    const own = (await author.post(MATRICES, { probability: words })).body
    expect((await settingsOf(author, made)).matrix).toMatchObject({
      probability: words,
      severity: [...DEFAULT_RISK_MATRIX.severity],
    })
    expect(names((await settingsOf(author, made)).matrix)).toEqual(names({ bands: HARD }))
    await author.put(own['@id'], { bands: bands([], '?') })
    expect(names((await settingsOf(author, made)).matrix)).toEqual(names({ bands: bands([], '?') }))
  })
})

describe("a risk band's requirement on completion", () => {
  /** Returns calls to all routes that complete a draft. */
  const doors = (
    own: AssessmentHelpers,
  ): ((controls: object[]) => Promise<{ status: number; body: Record<string, unknown> }>)[] => [
    async (controls) => own.author.post(`${(await own.draft({ controls }))['@id']}/complete`),
    async (controls) => own.author.put((await own.draft({ controls }))['@id'], { complete: true }),
    async (controls) => own.author.patch((await own.draft({ controls }))['@id'], { complete: true }),
    (controls) => own.author.post(ASSESSMENTS_URL, makeCompleteAssessment({ controls, complete: true })),
  ]

  test("every route that completes a draft enforces the risk band's requirement", async () => {
    const own = await makeAssessments(portal)
    // As shipped, a very high risk can't be accepted; a company may choose otherwise.
    for (const door of doors(own)) expect((await door(left(4, 5, { residualReason: 'We must' }))).status).toBe(422)
    const chosen = (await own.author.post(MATRICES, { bands: bands([]) })).body
    for (const door of doors(own)) expect((await door(left(4, 5))).status).toBeLessThan(300)
    await own.author.put(chosen['@id'], { bands: HARD })
    for (const door of doors(own)) {
      const stopped = await door(left(3, 5))
      expect(refusalOf(stopped)).toEqual([422, 'controls[0].residualProbability'])
      expect(stopped.body['hydra:description']).toContain(
        'work must not go ahead at a residual risk of 15 (“Very high!”)',
      )
      expect(refusalOf(await door(left(3, 5, { residualReason: 'We must' })))).toEqual([
        422,
        'controls[0].residualProbability',
      ])
      expect(refusalOf(await door(left(2, 5)))).toEqual([422, 'controls[0].residualReason'])
      expect((await door(left(2, 5, { residualReason: 'No other way' }))).status).toBeLessThan(300)
      const toDo = left(2, 5).map((line, i) =>
        i ? { ...line, implemented: 'no', plannedFor: '2031-01-01', responsible: 'Jo' } : line,
      )
      expect((await door(toDo)).status).toBeLessThan(300)
      expect((await door(left(1, 4))).status).toBeLessThan(300)
    }
  })

  test("a provider's template has no risk bands of its own, and its copy uses the company's bands", async () => {
    await keeper.post(MATRICES, { bands: HARD })
    const template = await keeper.post(
      ASSESSMENTS_URL,
      makeCompleteAssessment({ controls: left(2, 3), isTemplate: true, complete: true }),
    )
    expect([template.status, template.body.matrix]).toEqual([201, null])
    const own = await makeAssessments(portal)
    await own.author.post(MATRICES, { bands: bands([], '?') })
    const model = (await own.author.get(`${template.body['@id']}/copy`)).body
    expect('matrix' in model && model.matrix !== null && model.matrix !== undefined).toBe(false)
    const { '@id': _, ...words } = model
    const copy = await own.author.post(ASSESSMENTS_URL, words)
    expect([copy.status, names((await settingsOf(own.author, copy.body)).matrix)]).toEqual([
      201,
      names({ bands: bands([], '?') }),
    ])
  })
})

describe("a completed assessment's risk bands", () => {
  test('a completed assessment retains its risk bands and fingerprint, and its next revision uses the current bands', async () => {
    const own = await makeAssessments(portal)
    const { author, draft, act } = own
    const [first, second] = [await draft({ controls: left(2, 4) }), await draft({ controls: left(2, 4) })]
    const before = await own.inForce(first)
    expect(before.matrix).toEqual(JSON.parse(JSON.stringify(DEFAULT_RISK_MATRIX)))
    const said = (await author.post(MATRICES, { bands: bands(['accept', 'accept', 'accept', 'stop']) })).body
    const sealed = await act(second, 'complete')
    expect(names(sealed.matrix)).toEqual(['Low!', 'Medium!', 'High!', 'Very high!'])
    // Changes the bands between completion and approval.
    await author.put(said['@id'], { bands: bands([], '?') })
    const approved = await act(sealed, 'approve')
    expect([approved.matrix, approved.seal]).toEqual([sealed.matrix, sealed.seal])
    const still = (await author.get(before['@id'])).body
    expect([still.matrix, still.seal]).toEqual([before.matrix, before.seal])
    expect(await settingsOf(author, still)).toEqual({})
    const next = await act(approved, 'revise')
    expect(next.matrix).toBeNull()
    expect(names((await settingsOf(author, next)).matrix)[0]).toBe('Low?')
    // Saving a document can't change its matrix, whether the matrix is sealed or belongs to a draft.
    const put = await author.put(next['@id'], {
      ...makeCompleteAssessment({ controls: left(2, 4) }),
      matrix: { bands: [] },
    })
    expect((await author.get(next['@id'])).body.matrix, put.text).toBeNull()
    expect((await verifyEvidence(portal.engine, own.client.id)).broken).toEqual([])
  })

  test('an assessment completed before companies could set risk bands is shown with the default bands', async () => {
    const own = await makeAssessments(portal)
    const made = await own.current()
    await own.author.post(MATRICES, { bands: HARD })
    await portal.db.tx('owner', (tx) =>
      tx.script(
        `SET LOCAL session_replication_role = replica; UPDATE document SET content = content - 'matrix' WHERE id = ${made.id}`,
      ),
    )
    const now = (await own.author.get(made['@id'])).body
    expect(now.matrix).toBeNull()
    expect(names((await settingsOf(own.author, now)).matrix)).toEqual(names(DEFAULT_RISK_MATRIX as never))
  })

  test('whether a residual risk counts as high depends on the bands sealed with the assessment', async () => {
    const own = await makeAssessments(portal)
    const { author, draft, inForce } = own
    const high = async () =>
      (await author.get(`${ASSESSMENTS_URL}?highRisk=true&current=true&retired=false&client=${own.client.id}`)).body[
        'hydra:member'
      ].map((d: { id: number }) => d.id)
    const [six, ten] = [
      await inForce(await draft({ controls: left(2, 3) })),
      await inForce(await draft({ controls: left(2, 5, { residualReason: 'No other way' }) })),
    ]
    expect([six.highRisk, ten.highRisk]).toEqual([false, true])
    expect(await high()).toEqual([ten.id])
    // Uses bands in which a score of six is red and no score is yellow.
    const strict = bands([]).map((b, i) => ({ ...b, from: [1, 3, 6, 20][i]! }))
    const said = (await author.post(MATRICES, { bands: strict })).body
    const later = await inForce(await draft({ controls: left(2, 3) }))
    expect(await high()).toEqual([later.id, ten.id])
    await author.put(said['@id'], { bands: bands([]).map((b) => ({ ...b, level: 'safe' })) })
    await inForce(await draft({ controls: left(5, 4) }))
    expect(await high()).toEqual([later.id, ten.id])
    const figures = (await author.get('/api/safety/figures')).body
    expect(figures.highRisk.reduce((sum: number, s: { documents: number }) => sum + s.documents, 0)).toBe(2)
  })
})
