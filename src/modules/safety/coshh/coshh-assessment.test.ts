import { describe, expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { inDays } from '#test/support/days.ts'
import { makeCompleteDocumentBody } from '#test/support/kinds/whole.ts'
import { type TestApi, testPortal } from '#test/support/portal.ts'
import { coshhAssessment } from './coshh-assessment.ts'

const portal = await testPortal()
const LIST = '/api/safety/coshh_assessments'
const LINKS = '/api/safety/coshh_links'
const whole = makeCompleteDocumentBody(coshhAssessment)
const LIQUID = { name: 'Thinners', form: 'liquid', hazardStatements: ['H302'] }
const [thinners] = whole.substances as Record<string, unknown>[]

async function company() {
  const client = await portal.client()
  const person = async (...roles: string[]) => client.as(await client.user({ roles }))
  return {
    client,
    admin: await person('ROLE_CLIENT_ADMIN'),
    author: await person('ROLE_SAFETY_AUTHOR'),
    worker: await person('ROLE_EMPLOYEE'),
  }
}

const begin = async (api: TestApi, more: Record<string, unknown> = {}) => {
  const made = await api.post(LIST, { ...whole, ...more })
  expect([made.status, made.text]).toEqual([201, expect.anything()])
  return made.body
}
const inForce = async (api: TestApi, more: Record<string, unknown> = {}) => {
  const made = await begin(api, more)
  const done = await api.put(made['@id'], { complete: true, approved: true })
  expect([done.status, done.text]).toEqual([200, expect.anything()])
  return done.body
}
const ids = (answer: { body: { 'hydra:member': { id: number }[] } }) => answer.body['hydra:member'].map((m) => m.id)
const wrongIn = (answer: { body: { violations?: { propertyPath: string }[] } }) =>
  answer.body.violations?.map((v) => v.propertyPath)

describe('COSHH API routes fixed by the specification', () => {
  test('the specified routes return a COSHH assessment to its own company only, and a draft to authors only', async () => {
    const { admin, author, worker } = await company()
    const stranger = (await company()).admin
    const draft = await begin(author)
    const current = await inForce(admin, { name: 'Degreasing' })
    expect(current).toMatchObject({ documentNumber: expect.stringMatching(/^CO-\d{4}$/), current: true })
    for (const list of ['list', 'associated_list']) {
      expect(ids(await admin.get(`${LIST}/${list}`)).sort()).toEqual([draft.id, current.id].sort())
      expect(ids(await worker.get(`${LIST}/${list}`))).toEqual([current.id])
      expect(ids(await stranger.get(`${LIST}/${list}`))).toEqual([])
    }
    expect(ids(await admin.get(`${LIST}/associated_list?search=degreas`))).toEqual([current.id])
    expect((await worker.get(draft['@id'])).status).toBe(404)
    expect((await stranger.get(current['@id'])).status).toBe(404)
    expect((await stranger.put(current['@id'], { retired: true })).status).toBe(404)
    expect((await worker.get(current['@id'])).body.substances).toMatchObject([{ name: 'Thinners', proposed: '2' }])
    expect((await worker.post(LIST, whole)).status).toBe(403)
    expect((await author.get(`${LIST}/schema`)).body.steps[0].name).toBe('task')
    expect((await author.get(`${LIST}/model`)).body).toMatchObject({ substances: [], complete: false, retired: false })
  })

  test('the picker list shows which assessments are incomplete, deleted or templates', async () => {
    const { admin } = await company()
    const draft = await begin(admin)
    const deleted = await begin(admin)
    await admin.put(deleted['@id'], { retired: true })
    const template = await inForce(admin, { isTemplate: true })
    const query = 'state[]=draft&state[]=current&state[]=complete&retired=any'
    const listed = (await admin.get(`${LIST}/associated_list?${query}`)).body['hydra:member']
    const statuses = listed.map((row: Record<string, unknown>) => [row.id, row.complete, row.retired, row.isTemplate])
    expect(statuses).toHaveLength(3)
    expect(statuses).toEqual(
      expect.arrayContaining([
        [draft.id, false, false, false],
        [deleted.id, false, true, false],
        [template.id, true, false, true],
      ]),
    )
    expect(ids(await admin.get(`${LIST}/associated_list`)).sort()).toEqual([draft.id, template.id].sort())
  })

  test("an author can copy the provider's COSHH templates, and must decide the control approaches of the copy again", async () => {
    const { author } = await company()
    const templates = (await author.get(`${LIST}/templates?itemsPerPage=100`)).body['hydra:member']
    expect(templates.map((t: { name: string }) => t.name)).toContain('Mixing and laying mortar')
    const [one] = templates
    expect(one.substanceNames).not.toBe('')
    const { '@id': _, ...model } = (await author.get(`${LIST}/${one.id}/copy`)).body
    expect(model).toMatchObject({ documentNumber: null, retired: false, isTemplate: false })
    const copy = await author.post(LIST, { ...model, name: 'Ours' })
    expect(copy.status).toBe(201)
    // In another author's copy, decisions must be made again.
    expect(copy.body.substances.map((s: { confirmed: string; approach: null }) => [s.confirmed, s.approach])).toEqual(
      copy.body.substances.map(() => ['', null]),
    )
    expect(wrongIn(await author.post(`${copy.body['@id']}/complete`))).toContain('substances[0].confirmed')
  })

  test("a copied COSHH assessment can't be completed until its use and controls are confirmed for the new place", async () => {
    const { admin } = await company()
    const actions = [{ text: 'Repair the fan', owner: 'Rhys Ellis', due: '2026-04-30' }]
    const worn = [{ id: 1, label: 'Gloves', coshhValue: 'gloves', standard: 'EN ISO 374-1', image: '' }]
    const source = await begin(admin, {
      worn,
      equipmentNotes: 'Nitrile',
      lev: 'yes',
      levExamined: '2026-01-31',
      actions,
    })
    const { '@id': _, ...model } = (await admin.get(`${LIST}/${source.id}/copy`)).body
    const { body: copy } = await admin.post(LIST, model)
    const use = ['process', 'frequency', 'duration', 'measures', 'lev', 'levExamined', 'worn', 'equipmentNotes']
    const concluded = ['monitoring', 'monitoringReason', 'adequate', 'adequateReason', 'actions']
    const open = [...use, ...concluded, 'surveillance', 'storage', 'location', 'groupsAffected', 'expectant', 'young']
    expect(new Set(copy.unconfirmed)).toEqual(new Set(open))
    const refused = await admin.put(copy['@id'], { complete: true, approved: true })
    expect([refused.status, new Set(wrongIn(refused))]).toEqual([422, new Set([...open, 'substances[0].confirmed'])])
    const { body: changed } = await admin.put(copy['@id'], {
      worn: [],
      substances: [{ ...copy.substances[0], ...thinners }],
    })
    expect(changed.unconfirmed).toEqual(copy.unconfirmed.filter((name: string) => name !== 'worn'))
    const { body: all } = await admin.put(copy['@id'], { unconfirmed: [] })
    expect(Object.keys(all.confirmed).sort()).toEqual([...open].sort())
    expect((await admin.post(`${copy['@id']}/complete`)).status).toBe(200)
  })

  test('a COSHH assessment can be retired and restored', async () => {
    const { admin } = await company()
    const made = await begin(admin)
    expect((await admin.put(made['@id'], { retired: true })).body.retired).toBe(true)
    expect(ids(await admin.get(`${LIST}/list?retired=false`))).toEqual([])
    expect((await admin.put(made['@id'], { retired: false })).body.retired).toBe(false)
  })
})

describe('completing a COSHH assessment', () => {
  test("a COSHH assessment can't be completed until the control approach of every substance is decided", async () => {
    const { admin } = await company()
    const made = await begin(admin, { substances: [{ ...thinners, confirmed: '' }] })
    expect(made.substances[0]).toMatchObject({
      proposal: 'Group B (H302) × medium amount × medium volatility = approach 2',
      proposed: '2',
    })
    const complete = () => admin.post(`${made['@id']}/complete`)
    const put = (change: Record<string, unknown>) =>
      admin.put(made['@id'], { substances: [{ ...made.substances[0], ...change }] })
    expect(wrongIn(await complete())).toEqual(['substances[0].confirmed'])
    // Changing the amount changes the proposal, so the confirmation is no longer valid.
    await put({ confirmed: made.substances[0].proposal, quantity: 5000 })
    expect(wrongIn(await complete())).toEqual(['substances[0].confirmed'])
    await put({ approach: 3 })
    expect(wrongIn(await complete())).toEqual(['substances[0].confirmed'])
    await put({ approach: 3, reason: 'The line is enclosed.' })
    expect((await complete()).status).toBe(200)
  })

  test("a COSHH assessment can't be completed while the control approach of a substance can't be determined", async () => {
    const { admin } = await company()
    for (const unknown of [
      { quantity: 0 },
      { hazardStatements: [] },
      { form: 'fume' },
      { hazardStatements: ['H999'] },
    ]) {
      const made = await begin(admin, { substances: [{ ...thinners, ...unknown }] })
      expect([made.substances[0].proposed, wrongIn(await admin.post(`${made['@id']}/complete`))]).toEqual([
        '?',
        ['substances[0].confirmed'],
      ])
    }
  })

  test("a COSHH assessment can't be completed without a substance, or without the measures for expectant mothers and young workers", async () => {
    const { admin } = await company()
    const made = await begin(admin, { substances: [], expectant: 'yes', young: null, lev: 'yes' })
    expect(wrongIn(await admin.post(`${made['@id']}/complete`))).toEqual(
      expect.arrayContaining(['substances', 'expectantMeasures', 'young', 'levExamined']),
    )
  })

  test('a COSHH assessment can have eighty substances', async () => {
    const { admin } = await company()
    const made = await begin(admin, {
      substances: Array.from({ length: 80 }, (_, i) => ({ ...thinners, name: `No. ${i}` })),
    })
    expect((await admin.get(made['@id'])).body.substances).toHaveLength(80)
  })
})

describe('COSHH assessments and the substance library', () => {
  test('the assessment list and the document search find a COSHH assessment by the names of its substances', async () => {
    const { admin } = await company()
    const made = await begin(admin, { substances: [{ ...thinners, name: 'Zinc phosphate primer' }] })
    await begin(admin)
    for (const list of ['list', 'associated_list'])
      expect(ids(await admin.get(`${LIST}/${list}?q=phosphate`))).toEqual([made.id])
    expect(ids(await admin.get('/api/safety/documents?q=zinc%20brushes'))).toEqual([made.id])
    await admin.put(made['@id'], { substances: [{ ...made.substances[0], name: 'Red oxide' }] })
    expect(ids(await admin.get(`${LIST}/list?q=phosphate`))).toEqual([])
  })

  test('a library substance lists the assessments that use it, and changing it leaves sealed assessments unchanged', async () => {
    const { admin, worker } = await company()
    const of = (
      await admin.post('/api/safety/substances', { name: 'Thinners', form: 'liquid', hazardStatements: ['H302'] })
    ).body
    const current = await inForce(admin, { substances: [{ ...thinners, substance: of['@id'] }] })
    const draft = await begin(admin, { substances: [{ ...thinners, substance: of['@id'] }] })
    await begin(admin)
    expect(ids(await admin.get(`${of['@id']}/where_used`)).sort()).toEqual([current.id, draft.id].sort())
    expect(ids(await worker.get(`${of['@id']}/where_used`))).toEqual([current.id])
    expect(ids(await worker.get(`${LIST}?substances.substance=${of.id}`))).toEqual([current.id])
    await admin.put(of['@id'], { name: 'Other', hazardStatements: ['H350'] })
    expect((await worker.get(current['@id'])).body.substances[0]).toMatchObject({
      name: 'Thinners',
      hazardStatements: ['H302'],
    })
    const sealed = await admin.put(current['@id'], { substances: [] })
    expect([200, 409]).toContain(sealed.status)
    expect((await worker.get(current['@id'])).body.substances).toHaveLength(1)
    const foreign = (await company()).admin
    const wrong = await foreign.post(LIST, { ...whole, substances: [{ ...thinners, substance: of['@id'] }] })
    expect(wrong.status).toBe(400)
  })
})

test('an assessment stores the CAS numbers, first aid and PPE of its substances, can be found by them, and refuses an invalid CAS number', async () => {
  const { author } = await company()
  const advice = { casNumbers: ['67-64-1 Acetone'], firstAidEyes: 'Irrigate copiously', ppeHands: 'Butyl rubber' }
  const library = (await author.post('/api/safety/substances', { ...LIQUID, name: 'Brush cleaner', ...advice })).body
  const substances = [{ ...thinners, substance: library['@id'] }]
  const made = await begin(author, { substances })
  expect(made.substances).toMatchObject([{ name: 'Brush cleaner', ...advice }])
  for (const q of ['67-64-1', 'irrigate', 'butyl'])
    expect(ids(await author.get(`${LIST}/list?q=${q}`))).toEqual([made.id])
  const unlisted = { ...thinners, casNumbers: ['cas 67-64-1', '67-64-2'] }
  const refused = await author.put(made['@id'], { substances: [unlisted] })
  expect([refused.status, wrongIn(refused)]).toEqual([422, ['substances[0].casNumbers[1]']])
})

describe('validating the substances in a COSHH assessment', () => {
  const H350 = { ...LIQUID, hazardStatements: ['H350'], sheetDate: '2024-02-29' }
  const substanceOf = async (api: TestApi) => (await api.post('/api/safety/substances', H350)).body
  const forged = {
    ...thinners,
    hazardStatements: [],
    unclassified: true,
    sheetDate: '2031-01-01',
    sheet: 'javascript:alert(1)',
    confirmed: 'Group A (not classified) × medium amount × medium volatility = approach 1',
  }

  test('every route copies the data of a library substance from the library, not from the request', async () => {
    const { admin } = await company()
    const of = await substanceOf(admin)
    const row = { ...forged, substance: of['@id'] }
    const fromLibrary = { hazardStatements: ['H350'], unclassified: false, sheetDate: '2024-02-29', sheet: '' }
    const made = await begin(admin, { substances: [row] })
    expect(made.substances).toMatchObject([{ ...fromLibrary, proposed: '4' }])
    expect(wrongIn(await admin.post(`${made['@id']}/complete`))).toEqual(['substances[0].confirmed'])
    const [kept] = made.substances
    const plain = await begin(admin)
    for (const change of [
      () => admin.put(made['@id'], { substances: [{ ...kept, ...row }] }),
      () => admin.patch(made['@id'], { substances: [{ ...kept, ...row }] }),
      () => admin.put(plain['@id'], { substances: [{ ...forged, sheet: '', sheetDate: null, substance: of['@id'] }] }),
    ])
      expect((await change()).body.substances).toMatchObject([{ ...fromLibrary, proposed: '4' }])
    // If the library's data didn't replace the forged data, a request that also completes the assessment would seal the
    // substance as group A.
    const at = await admin.post(LIST, { ...whole, substances: [row], complete: true, approved: true })
    expect([at.status, wrongIn(at)]).toEqual([422, ['substances[0].confirmed']])
  })

  test("changing a library substance doesn't change its data in existing assessments, their revisions or copies", async () => {
    const { admin } = await company()
    const of = (await admin.post('/api/safety/substances', LIQUID)).body
    const made = await inForce(admin, { substances: [{ ...thinners, substance: of['@id'] }] })
    await admin.put(of['@id'], { hazardStatements: ['H350'] })
    const { body: next } = await admin.post(`${made['@id']}/revise`, {})
    expect(next.substances).toMatchObject([{ hazardStatements: ['H302'] }])
    const { '@id': _, ...model } = (await admin.get(`${LIST}/${made.id}/copy`)).body
    const { body: copy } = await admin.post(LIST, model)
    expect(copy.substances).toMatchObject([{ hazardStatements: ['H302'] }])
    const newer = [{ ...copy.substances[0], hazardStatements: ['H350'] }]
    expect((await admin.put(copy['@id'], { substances: newer })).body.substances).toMatchObject([
      { hazardStatements: ['H350'], proposed: '4' },
    ])
  })

  test('every route validates the substances on completion, even if they were saved before the validation existed', async () => {
    const { admin } = await company()
    const of = await substanceOf(admin)
    const forge = (made: { id: number }, set: string) =>
      portal.db.tx('system', (tx) => tx.rows(`UPDATE coshh_substance SET ${set} WHERE document_id = $1`, [made.id]))
    // Rows saved before validation existed: a library substance with fewer hazard statements than the library lists for
    // it, and an unlisted substance with an impossible hazard statement.
    const less = `hazard_statements = '{}', unclassified = true, confirmed = 'Group A (not classified) × medium amount × medium volatility = approach 1'`
    for (const [row, set, at] of [
      [{ ...thinners, substance: of['@id'], approach: 4, reason: 'Sealed' }, less, 'substances[0].substance'],
      [
        { ...thinners, approach: 4, reason: 'Sealed' },
        `hazard_statements = '{H9999}'`,
        'substances[0].hazardStatements[0]',
      ],
      [thinners, `sheet_date = '2099-01-01'`, 'substances[0].sheetDate'],
      [thinners, `sheet = '/api/safety/uploaded_documents/999999'`, 'substances[0].sheet'],
    ] as const)
      for (const complete of [
        (iri: string) => admin.post(`${iri}/complete`),
        (iri: string) => admin.put(iri, { complete: true }),
        (iri: string) => admin.patch(iri, { complete: true, approved: true }),
      ]) {
        const made = await begin(admin, { substances: [row] })
        await forge(made, set)
        const refused = await complete(made['@id'])
        expect([set, refused.status, wrongIn(refused)]).toEqual([set, 422, expect.arrayContaining([at])])
      }
  })

  test('a substance entered by hand is validated like a substance from the library', async () => {
    const { admin } = await company()
    const send = (more: object) => admin.post(LIST, { ...whole, substances: [{ ...thinners, ...more }] })
    for (const [more, at] of [
      [{ hazardStatements: ['H302', 'H9999'] }, 'substances[0].hazardStatements[1]'],
      [{ hazardStatements: ['<b>'] }, 'substances[0].hazardStatements[0]'],
      [{ precautions: ['P1'] }, 'substances[0].precautions[0]'],
      [{ sheetDate: inDays(1) }, 'substances[0].sheetDate'],
      [{ sheet: 'javascript:alert(1)' }, 'substances[0].sheet'],
      [{ sheet: '/api/safety/uploaded_documents/999999' }, 'substances[0].sheet'],
    ] as const) {
      const refused = await send(more)
      expect([refused.status, wrongIn(refused)]).toEqual([422, [at]])
      const made = await begin(admin)
      expect(wrongIn(await admin.put(made['@id'], { substances: [{ ...made.substances[0], ...more }] }))).toEqual([at])
    }
    expect((await send({ hazardStatements: [' h302'] })).body.substances).toMatchObject([
      { hazardStatements: ['H302'] },
    ])
  })
})

describe('a newer data sheet for a library substance', () => {
  test('a newer data sheet makes the assessments in force due for review and leaves their sealed content unchanged', async () => {
    const { client, admin } = await company()
    const of = (await admin.post('/api/safety/substances', { ...LIQUID, sheetDate: '2023-01-31' })).body
    const row = { ...thinners, substance: of['@id'], sheetDate: '2023-01-31' }
    const [used, other] = [await inForce(admin, { substances: [row] }), await inForce(admin)]
    const draft = await begin(admin, { substances: [row] })
    const due = async (one: { '@id': string }) => (await admin.get(one['@id'])).body.reviewDue
    const [was, othersWas] = [await due(used), await due(other)]
    const dated = async (sheetDate: string) => {
      expect((await admin.put(of['@id'], { sheetDate })).status).toBe(200)
      await portal.drain()
    }
    await dated('2022-05-01')
    expect(await due(used)).toBe(was)
    await dated('2026-02-28')
    const today = portal.engine.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate().toString()
    expect([await due(used), await due(other), await due(draft)]).toEqual([today, othersWas, null])
    expect((await admin.get(used['@id'])).body.substances[0].sheetDate).toBe('2023-01-31')
    expect(ids(await admin.get(`${LIST}/list?current=true&reviewDue[before]=${today}`))).toEqual([used.id])
    expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
  })
})

describe('linking a risk assessment to a COSHH assessment', () => {
  test('a COSHH link is saved as a reference in the risk assessment, and retiring the link removes the reference', async () => {
    const { admin, worker } = await company()
    const stranger = (await company()).admin
    const coshh = await inForce(admin)
    const risk = (await admin.post('/api/safety/risk_assessments', { description: 'Painting' })).body
    const link = { riskAssessment: risk['@id'], coshhAssessment: coshh['@id'] }
    expect((await stranger.post(LINKS, link)).status).toBe(400)
    expect((await worker.post(LINKS, link)).status).toBe(403)
    const made = await admin.post(LINKS, link)
    expect([made.status, made.body]).toEqual([200, { '@id': expect.stringMatching(`^${LINKS}/\\d+$`), retired: false }])
    expect((await admin.get(made.body['@id'])).body).toMatchObject(link)
    expect((await admin.get(risk['@id'])).body.coshh).toMatchObject([
      { target: { documentNumber: coshh.documentNumber } },
    ])
    expect((await admin.get(`${LINKS}?riskAssessment=${risk.id}`)).body['hydra:totalItems']).toBe(1)
    expect((await worker.get(LINKS)).body['hydra:totalItems']).toBe(0)
    expect((await stranger.get(made.body['@id'])).status).toBe(404)
    expect((await stranger.put(made.body['@id'], { retired: true })).status).toBe(404)
    expect((await admin.post(LINKS, link)).status).toBe(422)
    expect(ids(await admin.get(`/api/safety/documents/${coshh.id}/where_used`))).toEqual([risk.id])
    expect((await admin.put(made.body['@id'], { retired: true })).body.retired).toBe(true)
    expect((await admin.get(risk['@id'])).body.coshh).toEqual([])
  })
})

test('a COSHH assessment can be downloaded as a PDF', async () => {
  const { admin } = await company()
  const made = await inForce(admin)
  const pdf = await admin.get(`${made['@id']}/pdf`)
  expect([pdf.status, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
})
