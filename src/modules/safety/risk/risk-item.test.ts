import { expect, test } from 'vitest'
import { ASSESSMENTS_URL, makeAssessments, makeCompleteAssessment, makeHazards } from '#test/support/assessments.ts'
import { testPortal } from '#test/support/portal.ts'

test('risk items can be saved individually, found by client and document number, and retired together with their controls', async () => {
  const portal = await testPortal()
  const client = await portal.client()
  const author = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  const made = (await author.post('/api/safety/risk_assessments', { description: 'Loading bay' })).body
  const hazards = await author.get('/api/safety/hazards/component_hazards_list?q=fork')
  const hazard = hazards.body['hydra:member'][0]
  const line = await author.post('/api/safety/risk_items', {
    document: made['@id'],
    hazard: hazard['@id'],
    hazardName: hazard.name,
    controlName: 'One-way system',
    tier: 'engineering',
  })
  expect([line.status, line.body]).toEqual([
    201,
    expect.objectContaining({
      probability: 5,
      severity: 5,
      ranking: 25,
      implemented: 'yes',
      retired: false,
      responsibility: 0,
    }),
  ])
  const judged = await author.put(line.body['@id'], { probability: 2, severity: 4 })
  expect(judged.body).toMatchObject({ ranking: 8, judged: true, documentNumber: made.documentNumber })
  const found = await author.get(`/api/safety/risk_items?client.id=${client.id}&documentNumber=${made.documentNumber}`)
  expect(found.body['hydra:member'].map((l: { '@id': string }) => l['@id'])).toEqual([line.body['@id']])
  expect((await author.put(line.body['@id'], { retired: true })).body).toMatchObject({
    retired: true,
    implemented: 'no',
  })
  expect((await author.get(made['@id'])).body.controls).toEqual([])
  // Lines can't be moved to other documents or linked to other clients' library entries.
  const other = (await author.post('/api/safety/risk_assessments', { description: 'Other' })).body
  expect((await author.put(line.body['@id'], { document: other['@id'] })).status).toBe(409)
  const stranger = await portal.client()
  const theirs = stranger.as(await stranger.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
  expect((await theirs.post('/api/safety/risk_items', { document: made['@id'], hazardName: 'My views' })).status).toBe(
    400,
  )
  expect((await author.post('/api/safety/risk_items', { document: made['@id'], probability: 6 })).status).toBe(422)
})

test('a line without a control tier, as saved by earlier versions, can be sealed and has no tier in the next revision', async () => {
  const portal = await testPortal()
  const w = await makeAssessments(portal)
  const first = await w.draft()
  await portal.db.tx('system', (tx) =>
    tx.rows("UPDATE risk_item SET tier = '', implemented = ' ' WHERE document_id = $1", [first.id]),
  )
  expect((await w.author.post(`${first['@id']}/complete`)).status).toBe(200)
  expect((await w.author.post(`${first['@id']}/approve`, {})).status).toBe(200)
  const next = await w.author.post(`${first['@id']}/revise`, {})
  expect([
    next.status,
    next.body.controls?.map((l: { tier: unknown; implemented: unknown }) => [l.tier, l.implemented]),
  ]).toEqual([
    200,
    [
      [null, 'yes'],
      [null, 'yes'],
    ],
  ])
})

test('no route can add a control that belongs to another hazard in the library', async () => {
  const { client, author, draft } = await makeAssessments(await testPortal())
  const keeper = client.as(await client.user({ roles: ['ROLE_RISK_CREATE_UNRESTRICTED', 'ROLE_CLIENT_ADMIN'] }))
  const list = (await author.get('/api/safety/hazards/component_hazards_list')).body['hydra:member']
  const [falls, other] = list as readonly { '@id': string; name: string }[]
  const control = async (of: string | undefined) =>
    (await keeper.post('/api/safety/hazard_controls', { hazard: of, name: 'Guard rails' })).body['@id']
  const [theirs, strange] = [await control(falls?.['@id']), await control(other?.['@id'])]
  const [head, line] = makeHazards('Falls')
  const controls = (named: string) => [
    { ...head, hazard: falls?.['@id'] },
    { ...line, hazard: falls?.['@id'], control: named },
  ]
  const made = await draft({ controls: controls(theirs) })
  const [first, second] = made.controls
  for (const refused of [
    await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ controls: controls(strange) })),
    await author.put(made['@id'], { controls: [first, { ...second, control: strange }] }),
    await author.patch(made['@id'], { controls: [first, { ...second, control: strange }] }),
    await author.put(made['@id'], { controls: [first, second, ...controls(strange)] }),
    await author.put(second['@id'], { control: strange }),
  ])
    expect([refused.status, refused.body.violations?.[0]]).toMatchObject([
      422,
      {
        propertyPath: expect.stringMatching(/control$/),
        message: expect.stringContaining('belongs to another hazard'),
      },
    ])
})

test('retiring and restoring a hazard also retires and restores its controls, without changing their values', async () => {
  const { author, draft } = await makeAssessments(await testPortal())
  const planned = { plannedFor: '2030-01-31', responsible: 'Site manager', implemented: 'no' }
  const [head, control] = makeHazards('Falls')
  const made = await draft({
    controls: [head, control, { ...control, ...planned, controlName: 'Nets' }, ...makeHazards('Noise')],
  })
  const at = made.controls.map((l: { '@id': string }) => l['@id'])
  const lines = async () =>
    (await Promise.all(at.slice(0, 3).map((iri: string) => author.get(iri)))).map(({ body }) => [
      body.retired,
      body.implemented,
    ])

  await author.put(at[0], { retired: true })
  expect(await lines()).toEqual([
    [true, 'no'],
    [true, 'no'],
    [true, 'no'],
  ])
  expect((await author.get(made['@id'])).body.controls).toHaveLength(2)
  await author.put(at[0], { retired: false })
  expect(await lines()).toEqual([
    [false, 'yes'],
    [false, 'yes'],
    [false, 'no'],
  ])

  // Saves the complete document twice: first without one control, then without a hazard line but with the hazard's
  // controls.
  const all = (await author.get(made['@id'])).body.controls
  await author.put(made['@id'], { controls: all.toSpliced(1, 1) })
  expect((await lines())[1]).toEqual([true, 'no'])
  expect((await author.put(at[1], { retired: false })).body).toMatchObject({ retired: false, implemented: 'yes' })
  const again = (await author.get(made['@id'])).body.controls
  const put = await author.put(made['@id'], { controls: again.filter((l: { '@id': string }) => l['@id'] !== at[0]) })
  expect(put.body.controls.map((l: { hazardName: string }) => l.hazardName)).toEqual(['Noise', 'Noise'])
  expect(await lines()).toEqual([
    [true, 'no'],
    [true, 'no'],
    [true, 'no'],
  ])
})

test('an assessment can be marked as covering only part of the work, and an unknown picture is refused', async () => {
  const { author } = await makeAssessments(await testPortal())
  const made = await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ partial: true, image: '' }))
  expect(made.body).toMatchObject({ partial: true, image: null })
  expect(
    (await author.post(ASSESSMENTS_URL, makeCompleteAssessment({ image: '/api/safety/uploaded_documents/999999' })))
      .status,
  ).toBe(400)
})

test("a system template contains only its own trade's method statement", async () => {
  const { author } = await makeAssessments(await testPortal())
  const tasksOf = async (title: string) => {
    // Sorts by ID to list system templates before other tests' templates of the same name.
    const found = await author.get(
      `${ASSESSMENTS_URL}/templates?description=${encodeURIComponent(title)}&order[id]=asc`,
    )
    const { body } = await author.get(found.body['hydra:member'][0]['@id'])
    return (body.methodStatement.taskSelection as { title: string }[]).map((task) => task.title)
  }
  expect(await tasksOf('Cleaning with chemicals')).toEqual([
    'Prepare to clean',
    'Clean floors by machine',
    'Clean up blood or body fluids',
    'Put cleaning equipment away',
  ])
  expect(await tasksOf('General office work')).toEqual([])
  expect(await tasksOf('Roof repairs')).toContain('Strip a roof')
})
