import { beforeAll, describe, expect, test } from 'vitest'
import { makeAssessments, makeHazards } from '#test/support/assessments.ts'
import { approveLongAgo } from '#test/support/attendances.ts'
import { daysAgo } from '#test/support/days.ts'
import { grantPacks, type TestApi, testPortal } from '#test/support/portal.ts'

const portal = await testPortal()
const ACTIONS = '/api/safety/corrective_actions'
const ACTION = { description: 'Mend the lamp', managerName: 'Ann Carter', deadline: '2099-01-02' }
const PLANNED = { plannedFor: '2099-01-31', responsible: 'Site manager', implemented: 'no' }

const option = (value: string, more: object = {}) => ({ value, label: value.toUpperCase(), ...more })
const check = (name: string) => ({
  name,
  kind: 'select',
  label: name.toUpperCase(),
  options: [option('ok', { means: 'fine' }), option('broken', { means: 'defect' })],
})
const FORM = {
  steps: [
    {
      name: 's',
      title: 'S',
      groups: [
        {
          fields: [
            check('lamps'),
            check('horn'),
            { name: 'tyres', kind: 'rows', label: 'TYRES', fields: [check('tread')] },
          ],
        },
      ],
    },
  ],
}

async function company() {
  const world = await makeAssessments(portal)
  const { author, worker } = world
  const inspection = async () => {
    const form = (await author.post('/api/safety/custom_forms', { title: 'Van check', schema: FORM })).body
    const { current } = (await author.post(`${form['@id']}/publish`, {})).body
    const answers = { lamps: 'broken', horn: 'ok', tyres: [{ tread: 'ok' }, { tread: 'broken' }] }
    const answer = { form: form['@id'], version: current, answers }
    return (await worker.post('/api/safety/custom_form_answers', answer)).body
  }
  const presentedTalk = async () => {
    const made = (await author.post('/api/safety/toolbox_talks', { title: 'Ladders', points: [{ text: 'Feet' }] })).body
    await approveLongAgo(portal, world.client.id, made)
    const record = { talk: made['@id'], presenter: 'Will Worker', date: daysAgo(6), attendees: [{ name: 'Dan' }] }
    return (await worker.post('/api/safety/toolbox_talk_presenteds', record)).body
  }
  const withPlannedControl = () => {
    const [hazard, control] = makeHazards('Falls')
    return world.draft({ controls: [hazard, control, { ...control, ...PLANNED, controlName: 'Nets' }] })
  }
  const assessment = async () => world.inForce(await withPlannedControl())
  const registered = async (query: string, by: TestApi = author) =>
    (await by.get(`${ACTIONS}?${query}&order[number]=asc`)).body['hydra:member']
  return { ...world, inspection, presentedTalk, withPlannedControl, assessment, registered }
}

type World = Awaited<ReturnType<typeof company>>
/** Returns the line of the planned control of an assessment. */
const plannedLine = (record: { readonly controls: readonly { '@id': string; controlName: string }[] }) =>
  record.controls.find(({ controlName }) => controlName === 'Nets') as { '@id': string }

const SOURCES: readonly [string, (w: World) => Promise<{ raiseAt: string; source: string; sourceTitle: string }>][] = [
  [
    'a completed form',
    async (w) => {
      const { '@id': iri, number } = await w.inspection()
      return { raiseAt: iri, source: iri, sourceTitle: number }
    },
  ],
  [
    'a presented talk',
    async (w) => {
      const { '@id': iri, date } = await w.presentedTalk()
      return { raiseAt: iri, source: iri, sourceTitle: `Ladders, ${date.split('-').toReversed().join('/')}` }
    },
  ],
  [
    'a planned control of a risk assessment in force',
    async (w) => {
      const made = await w.assessment()
      return { raiseAt: plannedLine(made)['@id'], source: made['@id'], sourceTitle: made.documentNumber }
    },
  ],
]

describe.each(SOURCES)('corrective actions raised from %s', (_, make) => {
  let world: World
  let raiseAt: string
  let source: string
  let sourceTitle: string
  beforeAll(async () => {
    world = await company()
    const made = await make(world)
    source = made.source
    sourceTitle = made.sourceTitle
    raiseAt = `${made.raiseAt}/raise-action`
  })

  test('raised corrective actions are in the register with their source, its title and their owner', async () => {
    const { client, author } = world
    const sam = await client.user({ roles: ['ROLE_EMPLOYEE'], name: 'Sam Reed' })
    expect((await author.post(raiseAt, ACTION)).status).toBe(200)
    expect((await author.post(raiseAt, { description: 'Grit the ramp', owner: sam.id })).status).toBe(200)
    expect(await world.registered(`source=${source}`)).toMatchObject([
      { ...ACTION, owner: null, source, sourceTitle, state: 'open' },
      { owner: sam.id, managerName: 'Sam Reed', source, sourceTitle },
    ])
    expect(await world.registered(`sourceTitle=${encodeURIComponent(sourceTitle)}`)).toHaveLength(2)
    expect(await world.registered('retired=false', client.as(sam))).toHaveLength(1)
  })

  test('a raised corrective action needs a description and an owner', async () => {
    const wrong = async (values: Readonly<Record<string, string>>) =>
      (await world.author.post(raiseAt, values)).body.violations
    expect(await wrong({ ...ACTION, description: ' ' })).toMatchObject([{ propertyPath: 'description' }])
    expect(await wrong({ description: 'Mend the lamp' })).toMatchObject([{ propertyPath: 'managerName' }])
  })

  test('only safety authors of the company can raise corrective actions, and only while its entitlement has not lapsed', async () => {
    const { client, worker } = world
    const raise = async (by: TestApi) => (await by.post(raiseAt, ACTION)).status
    const other = await portal.client()
    const stranger = other.as(await other.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const safetyAuthor = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
    expect([await raise(worker), await raise(stranger), await raise(safetyAuthor)]).toEqual([403, 404, 200])
    const provider = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_SAFETY_ADMIN'] }))
    expect([403, 404]).toContain(await raise(provider))
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, [], ['safety']))
    expect(await raise(client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })))).toBe(403)
    await portal.db.tx('system', (tx) => grantPacks(tx, client.id, ['safety'], []))
  })

  test('a corrective action raised while impersonating has the original user as its author', async () => {
    const { client } = world
    const boss = await client.user({ roles: ['ROLE_CLIENT_ADMIN'] })
    const staff = await portal.provider.user({ roles: ['ROLE_STAFF'] })
    const from = { address: '127.0.0.1', agent: 'test', browser: false }
    const own = await portal.sessions.open({ clientId: staff.clientId, userId: staff.id }, from)
    const { token } = await portal.sessions.visit(own.token, { username: boss.username, clientId: client.id }, 'Help')
    const { body } = await portal.bearing(token).post('/api/security/user/write', { reason: 'Help' })
    expect((await portal.bearing(body.token).post(raiseAt, ACTION)).status).toBe(200)
    expect((await world.registered(`source=${source}`)).at(-1)).toMatchObject({ author: staff.username })
  })
})

test('a corrective action names the defect of the completed form that it concerns', async () => {
  const { author, inspection, registered } = await company()
  const { '@id': iri } = await inspection()
  const raise = (part: string) => author.post(`${iri}/raise-action`, { ...ACTION, part })
  for (const part of ['lamps', 'tyres[1].tread']) expect((await raise(part)).status).toBe(200)
  for (const part of ['horn', 'tyres[0].tread', 'moon'])
    expect((await raise(part)).body.violations).toMatchObject([{ propertyPath: 'part' }])
  const raised = await registered(`source=${iri}`)
  expect(raised.map(({ sourcePart }: { sourcePart: string }) => sourcePart)).toEqual(['lamps', 'tyres[1].tread'])
  expect((await author.put(raised[0]['@id'], { sourcePart: 'horn' })).body.sourcePart).toBe('lamps')
})

test('deleting a presented talk retires its open corrective actions but not the completed ones', async () => {
  const { author, presentedTalk, registered } = await company()
  const { '@id': iri } = await presentedTalk()
  for (const description of ['Mend the lamp', 'Clean the floor'])
    await author.post(`${iri}/raise-action`, { ...ACTION, description })
  const [, done] = await registered(`source=${iri}`)
  await author.post(`${done['@id']}/complete`, { proof: 'Cleaned' })
  expect((await author.put(iri, { retired: true })).status).toBe(200)
  expect(await registered(`source=${iri}`)).toMatchObject([{ retired: true }, { retired: false }])
  expect((await author.post(`${iri}/raise-action`, ACTION)).status).toBe(409)
})

test('a revised risk assessment retains its corrective actions, and withdrawing it retires the open ones', async () => {
  const { author, act, assessment, inForce, registered } = await company()
  const first = await assessment()
  await author.post(`${plannedLine(first)['@id']}/raise-action`, ACTION)
  const next = await inForce(await act(first, 'revise'))
  const actions = () => registered(`sourceTitle=${first.documentNumber}`)
  expect(await actions()).toMatchObject([{ retired: false, sourcePart: 'Falls: Nets', source: first['@id'] }])
  await author.post(`${plannedLine(next)['@id']}/raise-action`, ACTION)
  expect(await actions()).toMatchObject([{ source: first['@id'] }, { source: next['@id'] }])
  expect((await author.post(`${plannedLine(first)['@id']}/raise-action`, ACTION)).status).toBe(409)
  await act(next, 'withdraw', { note: 'The work is finished' })
  expect(await actions()).toMatchObject([{ retired: true }, { retired: true }])
  expect((await author.post(`${plannedLine(next)['@id']}/raise-action`, ACTION)).status).toBe(409)
})

test('no corrective action can be raised from a draft, or from a control that is already in place', async () => {
  const { author, inForce, withPlannedControl } = await company()
  const draft = await withPlannedControl()
  expect((await author.post(`${plannedLine(draft)['@id']}/raise-action`, ACTION)).status).toBe(409)
  const { controls } = await inForce(draft)
  for (const line of controls.filter(({ controlName }: { controlName: string }) => controlName !== 'Nets'))
    expect((await author.post(`${line['@id']}/raise-action`, ACTION)).status).toBe(409)
})
