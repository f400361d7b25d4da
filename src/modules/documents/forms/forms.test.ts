import { beforeAll, describe, expect, test } from 'vitest'
import { formFieldsIn } from '#kernel/forms/fields-in.ts'
import type { FormSchema } from '#kernel/forms/schema.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { riskAssessmentForm } from '#modules/safety/risk/form.ts'
import { riskAssessment } from '#modules/safety/risk/risk-assessment.ts'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { extractText } from '#test/pdf/words.ts'
import * as assessments from '#test/support/assessments.ts'
import {
  changeFirstStepFields,
  GAS_MONITOR_FIELD,
  withGasMonitorField,
  withoutFormFields,
} from '#test/support/changed-forms.ts'
import { type TestApi, type TestPortal, testPortal } from '#test/support/portal.ts'
import { compareRevisionsByForm } from '../comparison/differences.ts'
import { declaredFormsReferenceData } from './declared.server.ts'

const FORMS = '/api/safety/form_versions'

let portal: TestPortal
let keeper: TestApi
let made: assessments.AssessmentHelpers

beforeAll(async () => {
  portal = await testPortal()
  keeper = portal.provider.as(await portal.provider.user({ roles: ['ROLE_SAFETY_ADMIN'] }))
})
const world = async () => {
  made = await assessments.makeAssessments(portal)
}

const add = async (as: TestApi, schema: unknown, more: object = {}) => {
  const answer = await as.post(FORMS, { kind: 'risk_assessment', schema, ...more })
  expect([answer.status, answer.text]).toEqual([201, expect.anything()])
  return answer.body
}
const formOf = async (doc: { '@id': string }, as = made.author) => (await as.get(`${doc['@id']}/form`)).body
const namesIn = (schema: FormSchema) => formFieldsIn(schema).map((f) => f.name)

describe('a form version', () => {
  beforeAll(world)

  test('the declared form is the first version, for all clients', async () => {
    const doc = await made.draft()
    const form = await formOf(doc)
    expect(form).toMatchObject({ version: doc.form, newer: null, additional: null })
    const stored = (await made.author.get(doc.form)).body
    expect(stored).toMatchObject({ kind: 'risk_assessment', number: 1, declared: true, digest: doc.formDigest })
    expect(form.schema).toEqual(JSON.parse(JSON.stringify(riskAssessmentForm)))
  })

  test("a form version is numbered, fingerprinted and sealed, and can't be changed", async () => {
    const version = await add(made.author, withGasMonitorField(), { notes: 'Gas' })
    expect(version).toMatchObject({
      number: 1,
      declared: false,
      notes: 'Gas',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect((await made.author.put(version['@id'], { notes: 'x' })).status).toBe(405)
    const seals = (await made.author.get(`/api/safety/seals?subjectType=FormVersion&subjectId=${version.id}`)).body
    expect(seals['hydra:member'].map((s: { event: string }) => s.event)).toEqual(['form added'])
  })

  test.each<[string, unknown, RegExp]>([
    ['without the title field', withoutFormFields('description'), /“What is being assessed\?” can’t be removed/],
    [
      'without an input that the document type requires',
      { ...riskAssessmentForm, steps: riskAssessmentForm.steps.filter((s) => s.name !== 'hazards') },
      /“Hazards” can’t be removed/,
    ],
    [
      'with a declared field of a different kind',
      changeFirstStepFields((f) => f.map((one) => (one.name === 'project' ? { ...one, kind: 'number' } : one))),
      /The type of “Project” can’t be changed/,
    ],
    [
      'with an added field that is not marked as additional',
      withGasMonitorField({ additional: undefined } as object),
      /must be marked as additional/,
    ],
    ['with an additional file field', withGasMonitorField({ kind: 'uploads' }), /can’t be added/],
    [
      'with a field name that is already used',
      withGasMonitorField({ name: 'reviewDue' }),
      /“reviewDue” is already used/,
    ],
    [
      'with the same field twice',
      changeFirstStepFields((f) => [...f, GAS_MONITOR_FIELD, GAS_MONITOR_FIELD]),
      /is in the form twice/,
    ],
    [
      'with a condition on a field that is not in the form',
      withGasMonitorField({ when: [{ watch: 'moon', equals: true }] }),
      /depends on “moon”, which is not in the form/,
    ],
    [
      'with a length limit above the declared one',
      changeFirstStepFields((f) => f.map((one) => (one.name === 'project' ? { ...one, max: 5000 } : one))),
      /can’t be more than 255/,
    ],
    ['that is not a list of steps', 'all', /must be a list/],
  ])('a form version %s is rejected with a message', async (_, schema, said) => {
    const answer = await made.author.post(FORMS, { kind: 'risk_assessment', schema })
    expect([answer.status, answer.body.violations?.map((v: { message: string }) => v.message).join('; ')]).toEqual([
      422,
      expect.stringMatching(said),
    ])
  })

  test('only approvers can add a form version, for an existing document type and with a start that is not in the past', async () => {
    const old = { kind: 'risk_assessment', schema: riskAssessmentForm, from: '2020-01-01T00:00:00+00:00' }
    expect((await made.author.post(FORMS, old)).body.violations[0].propertyPath).toBe('from')
    expect((await made.author.post(FORMS, { kind: 'moon', schema: riskAssessmentForm })).status).toBe(422)
    const writer = made.client.as(await made.client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    expect((await writer.post(FORMS, { kind: 'risk_assessment', schema: riskAssessmentForm })).status).toBe(403)
    expect((await writer.get(FORMS)).status).toBe(200)
    expect((await made.worker.get(FORMS)).status).toBe(403)
    expect(
      (await writer.post(FORMS, { kind: 'risk_assessment', schema: riskAssessmentForm })).body['hydra:description'],
    ).toMatch(/may not|not allowed|permission/i)
  })

  test("a form version applies only to its author's company, unless a template manager adds it for all companies, and can't be changed", async () => {
    const own = await add(made.author, withGasMonitorField())
    const other = await assessments.makeAssessments(portal)
    expect((await other.author.get(own['@id'])).status).toBe(404)
    expect(namesIn((await other.author.get(`${assessments.ASSESSMENTS_URL}/schema`)).body)).not.toContain('gasMonitor')
    const client = `/api/portal/clients/${other.client.id}`
    await made.author.post(FORMS, { kind: 'risk_assessment', schema: withGasMonitorField(), client })
    expect(namesIn((await other.author.get(`${assessments.ASSESSMENTS_URL}/schema`)).body)).not.toContain('gasMonitor')
    const clerk = portal.provider.as(await portal.provider.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const refused = await clerk.post(FORMS, { kind: 'risk_assessment', schema: withGasMonitorField() })
    expect([refused.status, refused.body['hydra:description']]).toEqual([
      403,
      'The provider’s forms apply to all companies, so only template managers can add them.',
    ])
    for (const verb of ['PUT', 'PATCH', 'DELETE'])
      expect((await made.author.send(verb, own['@id'], { body: '{}' })).status).toBe(405)
    expect((await keeper.put(own['@id'], { notes: 'x' })).status).toBe(405)
    await expect(
      portal.db.tx('owner', (tx) => tx.script(`UPDATE form_version SET notes = 'x' WHERE id = ${own.id}`)),
    ).rejects.toThrow(/form_version/)
    await expect(
      portal.db.tx('owner', (tx) => tx.script(`DELETE FROM form_version WHERE id = ${own.id}`)),
    ).rejects.toThrow(/form_version/)
  })

  test('adding a form version is recorded in the audit trail, and the list export includes it', async () => {
    const own = await add(made.author, withGasMonitorField(), { notes: 'Gas, again' })
    const log = await portal.db.tx('system', (tx) =>
      tx.rows('SELECT verb FROM audit WHERE client_id = $1 AND type = $2 AND row_id = $3', [
        made.client.id,
        'FormVersion',
        own.id,
      ]),
    )
    expect(log).toEqual([{ verb: 'create' }])
    const file = await made.author.get(`${FORMS}/export.csv?fields=number,notes,digest`)
    expect(file.text).toContain('Gas, again')
    expect(file.text).toContain(own.digest)
  })
})

describe('a field that the portal no longer declares', () => {
  const former: FormSchema = {
    ...riskAssessmentForm,
    steps: [
      {
        name: 'weather',
        title: 'Weather',
        groups: [{ fields: [{ name: 'wind', kind: 'text', label: 'Wind', required: true }] }],
      },
      ...riskAssessmentForm.steps,
    ],
  }
  /** Loads the reference data, as if the portal had been restarted with code that declares the given form. */
  const bring = (schema: FormSchema) =>
    portal.engine.inTenant(0, { actor: createSystemActor(0, 'test'), requestId: 'test' }, async (c) => {
      await c.work.tx.rows('SET LOCAL ROLE stanchion_system')
      await declaredFormsReferenceData([{ ...riskAssessment, schema }]).load(c)
      return () => undefined
    })
  /**
   * Creates a draft whose value of `wind` is stored among the type's own values, as if the type itself still declared
   * the field.
   */
  const begin = async () => {
    const doc = await made.draft({ additional: { wind: 'Force 6' } })
    await portal.db.tx('owner', (tx) =>
      tx.script(`UPDATE document SET content = content - 'additional' || '{"wind": "Force 6"}' WHERE id = ${doc.id}`),
    )
    return doc
  }
  const writtenOf = async (id: number) => {
    const iri = `${assessments.ASSESSMENTS_URL}/${id}`
    return { record: (await made.author.get(iri)).body, form: await formOf({ '@id': iri }) }
  }
  let sealed: { id: number; '@id': string }
  let open: { id: number; '@id': string }

  beforeAll(async () => {
    await world()
    await bring(former)
    sealed = await made.inForce(await begin())
    open = await begin()
    await bring(riskAssessmentForm)
  })

  test('a sealed revision with an undeclared field is read, printed, compared and verified with its own form', async () => {
    const before = await writtenOf(sealed.id)
    expect(before.form).toMatchObject({ additional: { wind: 'Force 6' }, newer: null })
    expect(namesIn(before.form.schema)).toContain('wind')
    const pdf = await made.author.get(`${sealed['@id']}/pdf`)
    const text = await extractText(pdf.raw ?? Buffer.alloc(0))
    expect(text).toContain('Wind Force 6')
    const next = await made.act(sealed, 'revise')
    expect(next.unplaced).toEqual([{ name: 'wind', label: 'Wind', kind: 'text', value: 'Force 6' }])
    const after = await writtenOf(next.id)
    expect(namesIn(after.form.schema)).not.toContain('wind')
    expect(
      compareRevisionsByForm({ kind: riskAssessment, compare: { omit: ['parentDocumentNumber'] } }, before, after),
    ).toMatchObject([{ name: 'wind', label: 'Wind', pieces: [{ text: 'Force 6', mark: 'removed' }] }])
    await made.author.put(next['@id'], { unplaced: [] })
    await made.inForce(next)
    expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
  })

  test('a draft retains the answer to an undeclared field, and switching to the newest form turns it into an unplaced answer', async () => {
    const was = await writtenOf(open.id)
    expect(was.form).toMatchObject({ additional: { wind: 'Force 6' }, newer: { notes: 'Built-in' } })
    expect((await made.author.get(`${open['@id']}/review`)).body.unplaced).toMatchObject([{ value: 'Force 6' }])
    await made.author.put(open['@id'], { additional: { wind: null } })
    expect((await made.author.post(`${open['@id']}/complete`)).body.violations).toMatchObject([
      { propertyPath: 'additional.wind' },
    ])
    await made.author.put(open['@id'], { additional: { wind: 'Force 7' } })
    expect((await formOf(open)).additional).toEqual({ wind: 'Force 7' })
    const renewed = await made.act(open, 'use_new_form')
    expect(renewed.unplaced).toEqual([{ name: 'wind', label: 'Wind', kind: 'text', value: 'Force 7' }])
    expect(await formOf(open)).toMatchObject({ additional: null, newer: null })
    expect((await made.author.post(`${open['@id']}/complete`)).body.violations).toMatchObject([
      {
        propertyPath: 'unplaced',
        message: expect.stringContaining('please move the answer to another field, or discard it'),
      },
    ])
    await made.author.put(open['@id'], { unplaced: [], note: '<p>Force 7</p>' })
    await made.inForce(open)
    expect((await verifyEvidence(portal.engine, made.client.id)).broken).toEqual([])
  })
})

describe('choosing the form of a new document', () => {
  beforeAll(world)

  test('the form for client and industry takes precedence over the forms for the client, for the industry and for all clients', async () => {
    const [industry, other] = (await keeper.get('/api/safety/risk_industries')).body['hydra:member']
    const schemaOf = async (id?: number) =>
      namesIn((await made.author.get(`${assessments.ASSESSMENTS_URL}/schema${id === undefined ? '' : `/${id}`}`)).body)
    const named = (name: string) => withGasMonitorField({ name, required: false })
    await add(keeper, named('forAll'))
    expect(await schemaOf()).toContain('forAll')
    await add(keeper, named('forIndustry'), { industry: industry['@id'] })
    expect([await schemaOf(industry.id), await schemaOf(other.id)]).toEqual([
      expect.arrayContaining(['forIndustry']),
      expect.arrayContaining(['forAll']),
    ])
    await add(made.author, named('forClient'))
    await add(made.author, named('later'), { from: '2090-01-01T00:00:00+00:00' })
    expect(await schemaOf(industry.id)).toContain('forClient')
    await add(made.author, named('forBoth'), { industry: industry['@id'] })
    expect([await schemaOf(industry.id), await schemaOf(other.id), await schemaOf()]).toEqual([
      expect.arrayContaining(['forBoth']),
      expect.arrayContaining(['forClient']),
      expect.arrayContaining(['forClient']),
    ])
    const stranger = await assessments.makeAssessments(portal)
    expect(namesIn((await stranger.author.get(`${assessments.ASSESSMENTS_URL}/schema`)).body)).toContain('forAll')
    expect((await made.author.get(`${assessments.ASSESSMENTS_URL}/schema/999999`)).status).toBe(404)
    expect((await made.author.get(`${assessments.ASSESSMENTS_URL}/schema/foo`)).status).toBe(404)
    const doc = await made.draft({ industry: industry['@id'] })
    expect(namesIn((await formOf(doc)).schema)).toContain('forBoth')
    await add(keeper, riskAssessmentForm)
    await add(keeper, riskAssessmentForm, { industry: industry['@id'] })
  })
})

describe('a revision with its own form', () => {
  beforeAll(world)

  test('a revision is validated and completed with its own form, including additional fields', async () => {
    await add(made.author, withGasMonitorField({ max: 20 }))
    const doc = await made.draft({ additional: { gasMonitor: 'Dräger' } })
    expect(doc).toMatchObject({ additional: { gasMonitor: 'Dräger' }, unplaced: null })
    const long = await made.author.put(doc['@id'], { additional: { gasMonitor: 'x'.repeat(21) } })
    expect([long.status, long.body.violations[0].propertyPath]).toEqual([422, 'additional.gasMonitor'])
    const unknown = await made.author.put(doc['@id'], { additional: { moon: 'x' } })
    expect([unknown.status, unknown.body.violations[0].message]).toEqual([
      422,
      expect.stringContaining('has no field “moon”'),
    ])
    const tested = changeFirstStepFields((fields) => [
      ...fields,
      { ...GAS_MONITOR_FIELD, name: 'tested', kind: 'date', label: 'Tested' },
    ])
    await add(made.author, tested)
    const dated = await made.author.put((await made.draft())['@id'], { additional: { tested: '2026-02-31' } })
    expect([dated.status, dated.body.violations]).toMatchObject([
      422,
      [{ propertyPath: 'additional.tested', message: 'Tested must be a date such as 2026-02-28' }],
    ])
    await add(made.author, withGasMonitorField({ max: 20 }))
    await made.author.put(doc['@id'], { additional: { gasMonitor: null } })
    const early = await made.author.post(`${doc['@id']}/complete`)
    expect(early.body.violations).toMatchObject([{ propertyPath: 'additional.gasMonitor' }])
    await made.author.put(doc['@id'], { additional: { gasMonitor: 'MX4' } })
    const done = await made.author.post(`${doc['@id']}/complete`)
    expect(done.body).toMatchObject({ state: 'complete', additional: { gasMonitor: 'MX4' } })
  })

  test('a revision retains its form when a newer form is added, and its author can switch to the new form without losing answers', async () => {
    const doc = await made.draft({ additional: { gasMonitor: 'MX4' }, project: 'Kelham' })
    await add(made.author, withoutFormFields('project'))
    const form = await formOf(doc)
    expect([namesIn(form.schema).includes('gasMonitor'), form.newer.number]).toEqual([true, expect.any(Number)])
    expect((await made.author.put(doc['@id'], { project: 'Kelham Works' })).status).toBe(200)
    const renewed = (await made.author.post(`${doc['@id']}/use_new_form`)).body
    const aside = [
      { name: 'project', label: 'Project', kind: 'text', value: 'Kelham Works' },
      { name: 'gasMonitor', label: 'Gas monitor', kind: 'text', value: 'MX4' },
    ]
    expect(renewed).toMatchObject({ form: form.newer.version, project: null, additional: {}, unplaced: aside })
    expect((await made.author.put(doc['@id'], { project: 'x' })).body.violations[0].propertyPath).toBe('project')
    expect((await made.author.post(`${doc['@id']}/complete`)).body.violations).toMatchObject([
      { propertyPath: 'unplaced' },
    ])
    await add(made.author, withGasMonitorField())
    const back = (await made.author.post(`${doc['@id']}/use_new_form`)).body
    expect(back).toMatchObject({ project: 'Kelham Works', additional: { gasMonitor: 'MX4' }, unplaced: [] })
  })

  test('a copied or prefilled document takes over the answers that fit its form, and lists the others as unplaced', async () => {
    const doc = await made.draft({ additional: { gasMonitor: 'MX4' }, project: 'Kelham' })
    await made.author.post(`${doc['@id']}/complete`)
    await add(made.author, withoutFormFields('project'))
    const copy = (await made.author.get(`${doc['@id']}/copy`)).body
    expect(copy.unplaced.map((u: { name: string }) => u.name)).toEqual(['project', 'gasMonitor'])
    const next = (await made.author.post(`${doc['@id']}/revise`, {})).body
    expect([next.project, next.unplaced.map((u: { value: string }) => u.value)]).toEqual([null, ['Kelham', 'MX4']])
    const posted = (
      await made.author.post(
        assessments.ASSESSMENTS_URL,
        assessments.makeCompleteAssessment({ project: 'Typed', additional: { moon: 'Half' } }),
      )
    ).body
    expect(posted.unplaced.map((u: { value: string }) => u.value)).toEqual(['Typed', 'Half'])
    const whole = await made.author.post(
      assessments.ASSESSMENTS_URL,
      assessments.makeCompleteAssessment({ project: 'Typed', complete: true }),
    )
    expect(whole.body.violations).toMatchObject([{ propertyPath: 'unplaced' }])
    await made.author.put(next['@id'], { unplaced: [] })
    expect((await made.author.post(`${next['@id']}/complete`)).status).toBe(200)
    expect((await made.author.get(doc['@id'])).body).toMatchObject({
      project: 'Kelham',
      additional: { gasMonitor: 'MX4' },
    })
  })

  test('completion clears the values of hidden fields', async () => {
    await add(made.author, withGasMonitorField({ required: true, when: [{ watch: 'project', equals: 'Tunnel' }] }))
    const doc = await made.draft({ project: 'Tunnel', additional: { gasMonitor: 'MX4' } })
    await made.author.put(doc['@id'], { project: 'Roof' })
    const done = await made.author.post(`${doc['@id']}/complete`)
    expect([done.status, done.body.additional]).toEqual([200, { gasMonitor: null }])
  })

  test('a revision is printed with the labels and additional fields of its form', async () => {
    await add(
      made.author,
      changeFirstStepFields((f) => [
        ...f.map((one) => (one.name === 'location' ? { ...one, label: 'Where it is' } : one)),
        GAS_MONITOR_FIELD,
      ]),
    )
    const doc = await made.draft({ additional: { gasMonitor: 'MX4' } })
    const pdf = await made.author.get(`${doc['@id']}/pdf`)
    const text = await extractText(pdf.raw ?? Buffer.alloc(0))
    expect(text).toContain('Where it is Unit 4')
    expect(text).toContain('Gas monitor MX4')
  })
})
