import { beforeAll, describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import {
  ASSESSMENTS_URL,
  type AssessmentHelpers,
  documentIri,
  makeAssessments,
  makeCompleteAssessment,
  makeHazards,
} from '#test/support/assessments.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'

let portal: TestPortal
let made: AssessmentHelpers
let author: TestApi
let keeper: TestApi

beforeAll(async () => {
  portal = await testPortal()
  made = await makeAssessments(portal)
  author = made.author
  keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
})

interface Change {
  readonly key: string
  readonly field: string
  readonly own: boolean
  readonly before: { readonly controlName?: string }[]
  readonly after: { readonly controlName?: string; readonly probability?: number }[]
}
type HazardControlLine = { '@id'?: string; hazardName: string; controlName: string; probability: number }

const PPE = (...ids: number[]) => ({
  ppe: ids,
  ppeItems: ids.map((id) => ({ id, label: `Item ${id}`, image: 'M014' })),
})
const done = async (api: TestApi, one: { '@id': string }, ...acts: string[]) => {
  let last = one
  for (const act of acts) {
    const answer = await api.post(`${last['@id']}/${act}`, {})
    expect([act, answer.status, answer.text]).toEqual([act, 200, expect.anything()])
    last = answer.body
  }
  return last as typeof one & Record<string, never> & { id: number; controls: HazardControlLine[] }
}
const NETS = { ...makeHazards()[1], controlName: 'Safety nets' }

/** Creates a template in force, and a copy that its client has confirmed and changed in one place. */
async function copied(changes: Record<string, unknown> = {}) {
  const body = makeCompleteAssessment({
    isTemplate: true,
    controls: [...makeHazards(), ...makeHazards('Noise')],
    ...PPE(1, 2),
  })
  const template = await done(keeper, (await keeper.post(ASSESSMENTS_URL, body)).body, 'complete', 'approve')
  const { '@id': _, ...model } = (await author.get(`${template['@id']}/${made.client.id}/copyTo`)).body
  const copy = (await author.post(ASSESSMENTS_URL, { ...model, description: 'Roof of the mill', location: 'The mill' }))
    .body
  const lines = copy.controls.map((line: HazardControlLine) => ({ ...line, unconfirmed: false, probability: 3 }))
  const said = { unconfirmed: [], groupsAffected: ['Employees'], controls: lines, ...changes }
  expect((await author.put(copy['@id'], said)).status).toBe(200)
  return { template, copy }
}

/** Revises a template as the provider and puts the change in force. */
async function improve(template: { '@id': string }, change: (lines: HazardControlLine[]) => Record<string, unknown>) {
  const next = await done(keeper, template, 'revise')
  expect((await keeper.put(next['@id'], change(next.controls))).status).toBe(200)
  return done(keeper, next, 'complete', 'approve')
}
const found = async (one: { id: number }, api = author) => (await api.get(`${documentIri(one)}/improvements`)).body
const keysOf = (answer: { changes: Change[] }) => answer.changes.map(({ key, own }) => [key, own])
const listed = async () => {
  const { body } = await author.get('/api/safety/documents/improved?itemsPerPage=100')
  return body['hydra:member'].map(({ id }: { id: number }) => id)
}
const take = (one: { id: number }, template: { id: number }, keys: string[], api = author) =>
  api.post(`${documentIri(one)}/take_improvements`, { template: documentIri(template), keys })

describe('an updated template', () => {
  test('owners of copies are notified of template changes, and accepted changes are added to the next draft', async () => {
    const { template, copy } = await copied()
    const current = await done(author, copy, 'complete', 'approve')
    expect(await found(current)).toMatchObject({ template: null, changes: [] })
    const improved = await improve(template, (lines) => ({
      // The template changes the rating for noise (which the copy has also changed), adds a control for falls, and adds
      // an item of PPE.
      controls: [...lines.map((line) => (line.hazardName === 'Noise' ? { ...line, probability: 5 } : line)), NETS],
      ...PPE(1, 2, 3),
    }))
    expect(await listed()).toContain(current.id)
    const answer = await found(current)
    expect(answer.template).toMatchObject({ title: 'Roof repairs', from: 1, to: 2, '@id': documentIri(improved) })
    expect(keysOf(answer)).toEqual([
      ['controls#Noise', true],
      ['controls#Falling from the edge', false],
      ['ppeItems#Item 3', false],
    ])
    const falls = answer.changes[1] as Change
    expect([falls.before, falls.after].map((lines) => lines.map(({ controlName }) => controlName))).toEqual([
      ['', 'Guard rails'],
      ['', 'Guard rails', 'Safety nets'],
    ])
    const taken = await take(current, improved, ['controls#Falling from the edge', 'ppeItems#Item 3'])
    expect([taken.status, taken.text]).toEqual([200, expect.anything()])
    expect(taken.body).toMatchObject({
      state: 'draft',
      revision: 2,
      location: 'The mill',
      description: 'Roof of the mill',
      ppe: [1, 2, 3],
    })
    expect(taken.body.controls.map((l: HazardControlLine) => [l.hazardName, l.controlName, l.probability])).toEqual([
      ['Falling from the edge', '', 3],
      ['Falling from the edge', 'Guard rails', 3],
      ['Falling from the edge', 'Safety nets', 3],
      ['Noise', '', 3],
      ['Noise', 'Guard rails', 3],
    ])
    // Ignored changes are not offered again, neither for the draft nor for the revision in force.
    expect([await found(taken.body), (await listed()).includes(current.id)]).toMatchObject([{ changes: [] }, false])
    const next = await done(author, taken.body, 'complete', 'approve')
    expect([await found(next), (await listed()).includes(next.id)]).toMatchObject([{ template: null }, false])
    expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
    const again = await improve(improved, () => ({ ...PPE(1, 2, 3, 4) }))
    expect(keysOf(await found(next))).toEqual([['ppeItems#Item 4', false]])
    expect((await take(next, improved, [])).status).toBe(409)
    expect((await take(next, again, ['ppeItems#Item 9'])).status).toBe(409)
    const left = await take(next, again, [])
    expect([left.status, left.body.id, left.body.state]).toEqual([200, next.id, 'current'])
    expect([await found(next), (await listed()).includes(next.id)]).toMatchObject([{ template: null }, false])
    expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
  })

  test('accepted template changes are merged into an open draft with its own edits', async () => {
    const { template, copy } = await copied()
    const current = await done(author, copy, 'complete', 'approve')
    const draft = await done(author, current, 'revise')
    const written = { controls: draft.controls.filter((line) => line.hazardName !== 'Noise') }
    expect((await author.put(draft['@id'], written)).status).toBe(200)
    const improved = await improve(template, (lines) => ({ controls: [...lines, NETS] }))
    // If template updates are requested for the revision in force, its draft is compared.
    const answer = await found(current)
    expect([keysOf(answer), answer.draft]).toEqual([[['controls#Falling from the edge', false]], 2])
    const taken = await take(current, improved, ['controls#Falling from the edge'])
    expect([taken.status, taken.body.id]).toEqual([200, draft.id])
    expect(taken.body.controls.map((l: HazardControlLine) => l.controlName)).toEqual(['', 'Guard rails', 'Safety nets'])
    expect((await take(current, improved, ['controls#Falling from the edge'])).status).toBe(409)
  })

  test('only the company that owns a copy can see its template updates', async () => {
    const { template, copy } = await copied()
    const improved = await improve(template, (lines) => ({ controls: [...lines, NETS] }))
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const at = `${documentIri(copy)}/improvements`
    expect([(await stranger.get(at)).status, (await made.worker.get(at)).status]).toEqual([404, 403])
    expect((await take(copy, improved, [], stranger)).status).toBe(404)
    expect((await take(copy, improved, [], made.worker)).status).toBe(403)
    expect(await found(template, keeper)).toMatchObject({ template: null, changes: [] })
    for (const keys of ['x', [1], { a: 1 }])
      expect((await take(copy, improved, keys as unknown as string[])).status).toBeGreaterThanOrEqual(400)
    // After the template's updated revision is withdrawn, no changes are offered.
    expect(keysOf(await found(copy))).toEqual([['controls#Falling from the edge', false]])
    expect((await keeper.post(`${improved['@id']}/withdraw`, { note: 'Wrong' })).status).toBe(200)
    expect(await found(copy)).toMatchObject({ template: null, changes: [] })
  })
})
