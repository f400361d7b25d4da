import { describe, expect, test } from 'vitest'
import { testPortal } from '#test/support/portal.ts'
import { readHazardLibrary } from './ready-made.server.ts'

const portal = await testPortal()
const [HAZARDS, GROUPS, CONTROLS] = [
  '/api/safety/hazards',
  '/api/safety/hazard_groups',
  '/api/safety/hazard_controls',
] as const
const SHIPPED = readHazardLibrary()
const SHIPPED_CONTROLS = SHIPPED.flatMap(({ controls }) => controls).length
const OFFERED = `${HAZARDS}/component_hazards_list`
const KEEPER = { roles: ['ROLE_CLIENT_ADMIN', 'ROLE_RISK_CREATE_UNRESTRICTED'] }

type Member = Record<'@id' | 'name' | 'client' | 'tier' | 'fit', string> & {
  id: number
  industries: string[]
  group: { '@id': string; name: string }
}
const members = (body: Record<string, unknown>) => body['hydra:member'] as Member[]

/** Creates a client with two users: one who manages the client's library and one who can only read it. */
async function library() {
  const client = await portal.client()
  return { client, api: client.as(await client.user(KEEPER)), worker: client.as(await client.user()) }
}

/** Creates a hazard with one control in a group of its own, all owned by the client. */
async function ownHazard(api: Awaited<ReturnType<typeof library>>['api']) {
  const group = (await api.post(GROUPS, { name: 'Ovens' })).body
  const hazard = (await api.post(HAZARDS, { name: 'Hot oven', description: 'Burns', group: group['@id'] })).body
  const control = (await api.post(CONTROLS, { hazard: hazard['@id'], name: 'Wear oven gloves', tier: 'ppe' })).body
  return { group, hazard, control }
}

const template = async (api: { get: (url: string) => Promise<{ body: Record<string, unknown> }> }) =>
  members((await api.get(`${OFFERED}?q=wet%20or%20contaminated`)).body)[0] as Member

describe("the provider's library templates", () => {
  test('every client can read all library templates', async () => {
    const { worker } = await library()
    const total = async (path: string) => (await worker.get(`/api/safety/${path}`)).body['hydra:totalItems']
    expect(
      await Promise.all(
        [
          'hazard_groups?client=0',
          'hazards?client=0',
          'hazard_controls?client=0',
          'standard_statements?retired=false',
          'standard_statements?default=true',
          'tasks?retired=false',
          'ppes?client=0',
          'available_ppes?retired=false',
          'risk_industries',
          'pack_industries?retired=false',
          'template_link_tasks?retired=false',
        ].map(total),
      ),
    ).toEqual([29, SHIPPED.length, SHIPPED_CONTROLS, 50, 11, 110, 58, 58, 21, 21, 110])
  })

  test('clients can read library templates but not change them', async () => {
    const { api } = await library()
    for (const path of ['hazards', 'hazard_groups', 'hazard_controls', 'standard_statements', 'tasks', 'ppes']) {
      const [first] = members((await api.get(`/api/safety/${path}?client=0&itemsPerPage=1`)).body)
      const answer = await api.put((first as Member)['@id'], { retired: true })
      expect([path, answer.status, answer.body['hydra:description']]).toEqual([
        path,
        403,
        'You can view this, but not change it.',
      ])
    }
  })

  test("only the provider's administrators can edit the library templates", async () => {
    const admin = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_CLIENTS_ADMIN'] }))
    const staff = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))
    const body = { title: 'Tidy up', text: '<p>Leave it clean.</p>' }
    const made = await admin.post('/api/safety/tasks', body)
    expect([made.status, made.body.client, made.body.priority]).toEqual([201, '/api/portal/clients/0', 3])
    expect((await admin.put(made.body['@id'], { retired: true })).body.retired).toBe(true)
    expect((await staff.post('/api/safety/tasks', body)).status).toBe(403)
  })

  test('a template hazard is copied with its controls, and the copy belongs to the client', async () => {
    const { api, worker, client } = await library()
    const from = await template(api)
    expect((await worker.post(`${from['@id']}/copy`)).status).toBe(403)
    const copy = (await api.post(`${from['@id']}/copy`)).body
    expect([copy.name, copy.client, copy.group.name]).toEqual([from.name, client.iri, from.group.name])
    expect(typeof copy.changedOn).toBe('number')
    const names = async (iri: string) =>
      members((await api.get(`${CONTROLS}/component_controls_list?hazard=${iri}`)).body).map((k) => [k.name, k.tier])
    expect(await names(copy['@id'])).toEqual(await names(from['@id']))
    expect((await api.put(copy['@id'], { name: 'Our floors' })).body.name).toBe('Our floors')
  })
})

describe('a retired hazard', () => {
  test('retiring a hazard retires its controls, and restoring it restores the same controls', async () => {
    const { api } = await library()
    const copy = (await api.post(`${(await template(api))['@id']}/copy`)).body
    const offered = async () =>
      members((await api.get(`${CONTROLS}?hazard=${copy['@id']}&retired=false&itemsPerPage=100`)).body)
    const all = await offered()
    await api.put((all[0] as Member)['@id'], { retired: true })
    await api.put(copy['@id'], { retired: true })
    expect(await offered()).toEqual([])
    await api.put(copy['@id'], { retired: false })
    // A control that was retired on its own stays retired when its hazard is restored.
    expect((await offered()).map((k) => k['@id'])).toEqual(all.slice(1).map((k) => k['@id']))
  })
})

describe('a new hazard in the library', () => {
  test("missing fields of a new hazard are reported with the specification's messages", async () => {
    const { api } = await library()
    const answer = await api.post(HAZARDS, { name: ' ' })
    expect(answer.status).toBe(422)
    expect(answer.body.violations.map((v: { message: string }) => v.message)).toEqual([
      'Please give this hazard a name',
      'Please give this hazard a description',
      'A hazard must be assigned to a group',
    ])
    const control = await api.post(CONTROLS, { hazard: (await template(api))['@id'], name: '' })
    expect(control.body.violations.map((v: { message: string }) => v.message)).toEqual(['Must have a name'])
  })

  test("a new hazard can be in one of the client's own groups or in a template group", async () => {
    const { api, client } = await library()
    const { hazard, control } = await ownHazard(api)
    expect([hazard.group.name, hazard.client, hazard.retired]).toEqual(['Ovens', client.iri, false])
    expect([control.tier, control.hazard]).toEqual(['ppe', hazard['@id']])
    const of = (await template(api)).group
    const other = await api.post(HAZARDS, { name: 'Ice', description: 'Slipping', group: of['@id'] })
    expect([other.status, other.body.group.name]).toEqual([201, of.name])
  })

  test('a hazard accepts only industries from the list', async () => {
    const { api } = await library()
    const { hazard } = await ownHazard(api)
    const wrong = await api.put(hazard['@id'], { industries: ['Construction', 'Piracy'] })
    expect(wrong.body.violations).toMatchObject([
      { propertyPath: 'industries', message: 'Please choose industries from the list' },
    ])
    expect((await api.put(hazard['@id'], { industries: ['Construction'] })).body.industries).toEqual(['Construction'])
  })

  test("client administrators and workers without a safety role can't create hazards or hazard groups", async () => {
    const { worker, client } = await library()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const body = { name: 'X', description: 'Y', group: (await template(worker)).group['@id'] }
    expect((await worker.post(HAZARDS, body)).status).toBe(403)
    expect((await admin.post(HAZARDS, body)).status).toBe(403)
    expect((await worker.post(GROUPS, { name: 'X' })).status).toBe(403)
  })

  test("a hazard can't refer to another client's group or hazard", async () => {
    const theirs = await ownHazard((await library()).api)
    const { api } = await library()
    const answers = await Promise.all([
      api.post(HAZARDS, { name: 'X', description: 'Y', group: theirs.group['@id'] }),
      api.post(CONTROLS, { name: 'X', hazard: theirs.hazard['@id'] }),
      api.put((await ownHazard(api)).hazard['@id'], { group: theirs.group['@id'] }),
    ])
    expect(answers.map((a) => [a.status, a.body['hydra:description']])).toEqual([
      [400, `Item not found for "${theirs.group['@id']}".`],
      [400, `Item not found for "${theirs.hazard['@id']}".`],
      [400, `Item not found for "${theirs.group['@id']}".`],
    ])
    expect((await api.post(`${theirs.hazard['@id']}/copy`)).status).toBe(404)
    expect((await api.get(theirs.hazard['@id'])).status).toBe(404)
  })

  test("the database refuses a hazard in another client's group", async () => {
    const theirs = await ownHazard((await library()).api)
    const { client } = await library()
    const insert = portal.db.tx('system', (tx) =>
      tx.rows('INSERT INTO hazard (client_id, name, description, group_id) VALUES ($1, $2, $2, $3)', [
        client.id,
        'X',
        theirs.group.id,
      ]),
    )
    await expect(insert).rejects.toMatchObject({ code: '23503', constraint: 'hazard_group_id_fkey' })
  })
})

describe('a hazard group', () => {
  test("a hazard group needs a unique name and can't be retired while it contains hazards", async () => {
    const { api } = await library()
    const { group, hazard } = await ownHazard(api)
    const again = await api.post(GROUPS, { name: 'ovens' })
    expect([again.status, again.body.violations[0].propertyPath]).toEqual([422, 'name'])
    const held = await api.put(group['@id'], { retired: true })
    expect([held.status, held.body['hydra:description']]).toEqual([
      409,
      'This group still contains hazards. Move or retire the hazards first.',
    ])
    await api.put(hazard['@id'], { retired: true })
    expect((await api.put(group['@id'], { retired: true })).body.retired).toBe(true)
  })
})

describe('hazards suggested from the library', () => {
  test("a client's own hazards and the template hazards are suggested, but not retired hazards or other clients' hazards", async () => {
    const theirs = await ownHazard((await library()).api)
    const { api } = await library()
    const mine = await ownHazard(api)
    const ids = members((await api.get(OFFERED)).body).map((h) => h['@id'])
    expect(ids).toHaveLength(SHIPPED.length + 1)
    expect(ids).toContain(mine.hazard['@id'])
    expect(ids).not.toContain(theirs.hazard['@id'])
    await api.put(mine.hazard['@id'], { retired: true })
    expect(members((await api.get(OFFERED)).body)).toHaveLength(SHIPPED.length)
  })

  test("suggested hazards are ordered by group, and within each group the requested industry's hazards come first", async () => {
    const { api } = await library()
    const industry = members((await api.get('/api/safety/risk_industries?name=Hair')).body)[0] as Member
    const found = members((await api.get(`${OFFERED}?industry=${industry['@id']}`)).body)
    const groups = found.map((h) => h.group.name)
    expect(groups.filter((g, i) => g !== groups[i - 1])).toHaveLength(new Set(groups).size)
    expect(found[0]?.fit).toBe('industry')
    expect(found.filter((h) => h.fit === 'industry').every((h) => h.industries.includes('Hair and beauty'))).toBe(true)
    const order = ['industry', 'general', 'other']
    for (const name of new Set(groups)) {
      const fits = found.filter((h) => h.group.name === name).map((h) => order.indexOf(h.fit))
      expect(fits).toEqual(fits.toSorted())
    }
  })

  test('a hazard search finds words in the name of a hazard and in the name of its group', async () => {
    const { api } = await library()
    const found = members((await api.get(`${OFFERED}?q=slips%20floors`)).body)
    expect(found.map((h) => h.name)).toContain('Wet or contaminated floors')
    expect(members((await api.get(`${OFFERED}?q=%25`)).body)).toEqual([])
  })

  test('hazards already in the document are not suggested', async () => {
    const { api } = await library()
    const [a, b] = members((await api.get(OFFERED)).body) as [Member, Member]
    const left = members((await api.get(`${OFFERED}?exclude[]=${a['@id']}&exclude[]=${b.id}`)).body)
    expect(left).toHaveLength(SHIPPED.length - 2)
    const list = `${CONTROLS}/component_controls_list?hazard=${a['@id']}`
    const controls = members((await api.get(list)).body)
    expect(members((await api.get(`${list}&exclude=${controls[0]?.id},${controls[1]?.id}`)).body)).toEqual(
      controls.slice(2),
    )
  })

  test("hazards on the document's saved lines are not suggested, and another client's document is ignored", async () => {
    const { api, client } = await library()
    const [taken, other] = members((await api.get(OFFERED)).body) as [Member, Member]
    const [control] = members((await api.get(`${CONTROLS}/component_controls_list?hazard=${taken.id}`)).body)
    const document = (await api.post('/api/safety/risk_assessments', { description: 'Roof', complete: false })).body
    const line = { document: document['@id'], hazard: taken['@id'] }
    expect((await api.post('/api/safety/risk_items', line)).status).toBe(201)
    const kept = await api.post('/api/safety/risk_items', { ...line, control: control?.['@id'] })
    const gone = await api.post('/api/safety/risk_items', { ...line, hazard: other['@id'] })
    expect((await api.put(gone.body['@id'], { retired: true })).status).toBe(200)
    for (const given of [document['@id'], document.id, kept.body.documentNumber].filter(Boolean)) {
      const ids = members((await api.get(`${OFFERED}?document=${given}`)).body).map((h) => h.id)
      expect([given, ids.length, ids.includes(taken.id), ids.includes(other.id)]).toEqual([
        given,
        SHIPPED.length - 1,
        false,
        true,
      ])
      const left = members(
        (await api.get(`${CONTROLS}/component_controls_list?hazard=${taken.id}&document=${given}`)).body,
      )
      expect(left.map((k) => k.id)).not.toContain(control?.id)
    }
    const { worker, client: stranger } = await library()
    expect(stranger.id).not.toBe(client.id)
    expect(members((await worker.get(`${OFFERED}?document=${document.id}`)).body)).toHaveLength(SHIPPED.length)
  })

  test("a hazard's controls are suggested in the order of the hierarchy of control", async () => {
    const { api } = await library()
    const tiers = ['eliminate', 'substitute', 'engineering', 'administrative', 'ppe']
    const hazard = await template(api)
    await api.post(CONTROLS, { hazard: hazard['@id'], name: 'Stay on the ground', tier: 'eliminate' })
    const found = members((await api.get(`${CONTROLS}/component_controls_list?hazard=${hazard.id}`)).body)
    expect(found[0]?.name).toBe('Stay on the ground')
    expect(found.map((k) => tiers.indexOf(k.tier))).toEqual(found.map((k) => tiers.indexOf(k.tier)).toSorted())
  })

  test('each suggested group shows its number of hazards', async () => {
    const { api } = await library()
    await ownHazard(api)
    const found = members((await api.get(`${GROUPS}/component_group_list`)).body) as (Member & { hazards: number })[]
    expect(found).toHaveLength(30)
    expect(found.find((g) => g.name === 'Ovens')?.hazards).toBe(1)
    expect(found.reduce((n, g) => n + g.hazards, 0)).toBe(SHIPPED.length + 1)
  })

  test('users must be signed in to get library suggestions', async () => {
    for (const url of [OFFERED, `${CONTROLS}/component_controls_list`, `${GROUPS}/component_group_list`])
      expect((await portal.anonymous.get(url)).status).toBe(401)
  })
})

describe('statements and tasks in the library', () => {
  test.each(['standard_statements', 'tasks'])(
    'library records at the path %s can be created, edited, searched and retired',
    async (path) => {
      const { api, worker, client } = await library()
      const url = `/api/safety/${path}`
      const industry = members((await api.get('/api/safety/pack_industries?name=Construction')).body)[0] as Member
      const body = {
        title: 'Quokka drill',
        text: '<p>Feed the <b>quokka</b>.</p><script>x</script>',
        client: client.iri,
      }
      const made = (await api.post(url, { ...body, industry: industry['@id'], default: true })).body
      expect([made.client, made.default, made.industry.name, made.text]).toEqual([
        client.iri,
        true,
        'Construction',
        expect.not.stringContaining('script'),
      ])
      expect((await worker.post(url, body)).status).toBe(403)
      const search = async (query: string) =>
        (await worker.get(`${url}/search?retired=false&page=1&query=${query}`)).body['hydra:member']
      expect(await search('feed%20quokka')).toMatchObject([{ '@id': made['@id'] }])
      expect(await search('strong')).toEqual([])
      expect((await api.put(made['@id'], { retired: true })).body.retired).toBe(true)
      expect(await search('quokka')).toEqual([])
      const missing = await api.post(url, { title: '', text: '' })
      expect(missing.body.violations.map((v: { message: string }) => v.message)).toEqual([
        'Field required, please enter text',
        'Field required, please enter text',
      ])
    },
  )

  test('search results of statements and tasks are paginated', async () => {
    const { worker } = await library()
    const url = '/api/safety/standard_statements/search'
    const first = (await worker.get(`${url}?retired=false&page=1&query=`)).body
    expect(first['hydra:totalItems']).toBe(50)
    expect(first['hydra:view']['hydra:next']).toBe(`${url}?retired=false&query=&page=2`)
    const second = (await worker.get(first['hydra:view']['hydra:next'])).body
    expect(second['hydra:member']).toHaveLength(20)
  })

  test("another client's statements and tasks are not found", async () => {
    const { api } = await library()
    const made = (await api.post('/api/safety/tasks', { title: 'Wombat', text: '<p>x</p>' })).body
    const { worker } = await library()
    expect((await worker.get('/api/safety/tasks/search?query=wombat')).body['hydra:member']).toEqual([])
    expect((await worker.get(made['@id'])).status).toBe(404)
  })
})

describe('protective equipment in the library', () => {
  test('protective equipment requires a label and one of the available pictures', async () => {
    const { api } = await library()
    const none = await api.post('/api/safety/ppes', {})
    expect(none.body.violations.map((v: { message: string }) => v.message)).toEqual([
      'PPE Label must be entered',
      'PPE Image must be selected',
    ])
    const wrong = await api.post('/api/safety/ppes', { name: 'Hat', image: '../secret' })
    expect(wrong.body.violations).toMatchObject([{ propertyPath: 'image', message: 'PPE Image must be selected' }])
    const made = (await api.post('/api/safety/ppes', { name: 'White hat', image: 'M014' })).body
    expect([made.category, made.imagePath]).toEqual(['Headwear', '/api/safety/ppe_signs/M014.svg'])
  })

  test('every picture of protective equipment can be loaded without signing in', async () => {
    const { worker } = await library()
    const offered = (await worker.get('/api/safety/available_ppes?pagination=false')).body['hydra:member'] as {
      imagePath: string
    }[]
    for (const path of new Set(offered.map((o) => o.imagePath))) {
      const answer = await portal.anonymous.get(path, { accept: 'image/avif,image/*,*/*;q=0.8' })
      expect([path, answer.status, answer.headers['content-type']]).toEqual([path, 200, 'image/svg+xml; charset=utf-8'])
      expect(answer.text).toMatch(/^<svg .*<\/svg>\s*$/s)
    }
    expect((await portal.anonymous.get('/api/safety/ppe_signs/..%2Froles.json')).status).toBe(404)
  })
})
