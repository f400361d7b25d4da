import { describe, expect, test } from 'vitest'
import { createSystemActor, PROVIDER_CLIENT_ID } from '#kernel/roles.ts'
import { testPortal } from '#test/support/portal.ts'
import { MINIMAL_PDF, makeUploadForm } from '#test/support/uploads.ts'
import { substanceReferenceData } from './substances.server.ts'

const portal = await testPortal()
const SUBSTANCES = '/api/safety/substances'
const thinners = { name: 'Thinners', supplier: 'Acme', form: 'liquid', hazardStatements: ['H225', 'H319', 'H336'] }

/** Creates a client with two users: one who writes assessments and one who can only read them. */
async function company() {
  const client = await portal.client()
  const author = client.as(await client.user({ roles: ['ROLE_SAFETY_AUTHOR'] }))
  return { client, author, worker: client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] })) }
}

const wrongIn = (answer: { body: { violations?: { propertyPath: string }[] } }) =>
  answer.body.violations?.map((v) => v.propertyPath)

describe("the provider's substances", () => {
  test("everyone can read the provider's substances and the confidence level of each exposure limit", async () => {
    const { worker } = await company()
    const listed = await worker.get(`${SUBSTANCES}?client=0`)
    expect([listed.status, listed.body['hydra:totalItems']]).toEqual([200, 55])
    const found = (await worker.get(`${SUBSTANCES}?client=0&q=isocyanate%20spray`)).body['hydra:member'][0]
    const { body } = await worker.get(found['@id'])
    expect(body).toMatchObject({
      form: 'aerosol',
      pictograms: ['GHS02', 'GHS07', 'GHS08'],
      signalWord: 'Danger',
      source: expect.stringMatching(/^Assumed/),
    })
    expect(body.limits).toHaveLength(2)
    expect(body.limits[0]).toMatchObject({
      agent: expect.stringMatching(/^Isocyanates/),
      longMgM3: 0.02,
      composed: true,
      source: expect.stringMatching(/^EH40/),
      confidence: expect.stringMatching(/high|medium/),
    })
  })

  test("clients can copy the provider's substances but not change them", async () => {
    const { author, worker, client } = await company()
    const [found] = (await author.get(`${SUBSTANCES}?client=0&q=glutaraldehyde`)).body['hydra:member']
    expect((await author.put(found['@id'], { name: 'Ours' })).status).toBe(403)
    expect((await worker.post(`${found['@id']}/copy`)).status).toBe(403)
    const copy = await author.post(`${found['@id']}/copy`)
    expect(copy.status).toBe(200)
    const { body } = await author.get(copy.body['@id'])
    expect(body).toMatchObject({ name: found.name, client: client.iri, hazardStatements: found.hazardStatements })
    expect(body.limits.map((l: { agent: string }) => l.agent)).toEqual(['Glutaraldehyde'])
  })

  test("loading the provider's substances again creates no duplicates", async () => {
    const { worker } = await company()
    const total = async (path: string) => (await worker.get(`/api/safety/${path}`)).body['hydra:totalItems']
    const counts = () => Promise.all(['substances?client=0', 'substance_limits'].map(total))
    const before = await counts()
    const trial = { actor: createSystemActor(PROVIDER_CLIENT_ID, 'a trial'), requestId: 'trial' }
    await portal.engine.inTenant(PROVIDER_CLIENT_ID, trial, async (c) => {
      await c.work.tx.rows('SET LOCAL ROLE stanchion_system')
      await substanceReferenceData.load(c)
      return () => undefined
    })
    expect(await counts()).toEqual(before)
  })
})

describe("a company's own substance", () => {
  test("authors of assessments can edit the company's substances, and everyone in the company can read them", async () => {
    const { author, worker } = await company()
    expect((await worker.post(SUBSTANCES, thinners)).status).toBe(403)
    const { status, body } = await author.post(SUBSTANCES, thinners)
    expect(status).toBe(201)
    expect((await worker.get(body['@id'])).body.name).toBe('Thinners')
    const stranger = (await company()).author
    expect((await stranger.get(body['@id'])).status).toBe(404)
    expect((await stranger.put(body['@id'], { name: 'My views' })).status).toBe(404)
    expect((await author.put(body['@id'], { retired: true })).body.retired).toBe(true)
  })

  test("a substance's pictograms and signal word are derived from its hazard statements unless set manually", async () => {
    const { author } = await company()
    const made = (await author.post(SUBSTANCES, { ...thinners, hazardStatements: [' h225', 'H319', 'H319'] })).body
    expect(made).toMatchObject({
      hazardStatements: ['H225', 'H319'],
      pictograms: ['GHS02', 'GHS07'],
      signalWord: 'Danger',
    })
    const changed = (await author.put(made['@id'], { hazardStatements: ['H315'] })).body
    expect(changed).toMatchObject({ pictograms: ['GHS07'], signalWord: 'Warning' })
    // The value set manually is retained; the other values are derived from the new statements.
    await author.put(made['@id'], { signalWord: 'Danger' })
    const after = (await author.put(made['@id'], { hazardStatements: ['H412'] })).body
    expect(after).toMatchObject({ pictograms: [], signalWord: 'Danger' })
  })

  test('a substance can have several exposure limits', async () => {
    const { author } = await company()
    const limits = [
      {
        agent: 'Toluene',
        longPpm: 50,
        longMgM3: 191,
        shortPpm: 100,
        shortMgM3: 384,
        source: 'EH40',
        confidence: 'high',
      },
      { agent: 'Acetone', longPpm: 500, longMgM3: 1210, composed: true },
    ]
    const made = (await author.post(SUBSTANCES, { ...thinners, limits })).body
    const { body } = await author.get(made['@id'])
    expect(body.limits).toMatchObject(limits)
    const fewer = await author.put(made['@id'], { limits: [body.limits[1]] })
    expect(fewer.body.limits.map((l: { agent: string }) => l.agent)).toEqual(['Acetone'])
    const wrong = await author.put(made['@id'], { limits: [{ agent: '', longPpm: -1 }] })
    expect([wrong.status, wrongIn(wrong)]).toEqual([422, ['limits[0].agent', 'limits[0].longPpm']])
  })

  test('malformed hazard and precautionary statements and future data sheet dates are refused', async () => {
    const { author } = await company()
    const tomorrow = Temporal.Now.plainDateISO('Europe/London').add({ days: 1 }).toString()
    const odd = { hazardStatements: ['H314', 'flammable'], precautions: ['P28'], sheetDate: tomorrow, form: 'goo' }
    const refused = await author.post(SUBSTANCES, { ...thinners, ...odd })
    expect(refused.status).toBe(422)
    expect(wrongIn(refused)).toEqual(expect.arrayContaining(['hazardStatements[1]', 'precautions[0]', 'sheetDate']))
    expect(wrongIn(await author.post(SUBSTANCES, { ...thinners, form: 'goo' }))).toEqual(['form'])
    // Statements from a newer edition of CLP are accepted.
    expect((await author.post(SUBSTANCES, { ...thinners, hazardStatements: ['EUH380'] })).status).toBe(201)
  })

  test('codes are saved in their usual notation, however they are typed, and no text is lost', async () => {
    const { author } = await company()
    const written = { hazardStatements: ['H312+302', 'h350I, H225: Highly flammable liquid and vapour.'] }
    const precautions = ['P305+351+338\u00a0P308 + 311']
    const made = await author.post(SUBSTANCES, { ...thinners, ...written, precautions })
    const usual = ['H302+H312', 'H350i', 'H225']
    expect(made.body).toMatchObject({
      hazardStatements: usual,
      precautions: ['P305+P351+P338', 'P308+P311'],
      pictograms: ['GHS02', 'GHS07', 'GHS08'],
    })
    const iri = made.body['@id']
    for (const send of [
      () => author.put(iri, { hazardStatements: ['h314\nh317'] }),
      () => author.patch(iri, { hazardStatements: ['H317 / H314'] }),
    ])
      expect(new Set((await send()).body.hazardStatements)).toEqual(new Set(['H314', 'H317']))
    const refused = await author.put(iri, { hazardStatements: ['H314', 'H350 does not apply'] })
    expect([refused.status, wrongIn(refused)]).toEqual([422, ['hazardStatements[1]']])
  })

  test("CAS numbers are checked, searchable, copied and exported, with the supplier's first aid and PPE", async () => {
    const { author } = await company()
    const advice = {
      firstAidInhalation: 'Fresh air.',
      firstAidSkin: 'Wash with soap.',
      firstAidEyes: 'Rinse for 15 minutes.',
      firstAidIngestion: 'Do not induce vomiting.',
      ppeHands: 'Butyl rubber, 0.5 mm, EN ISO 374-1',
      ppeEyes: 'Goggles, EN 166',
      ppeBreathing: 'Half mask with filter A1, EN 140',
      ppeBody: 'Coverall, EN 13034',
    }
    const casNumbers = ['cas no. 67–64–1 Acetone', '1330-20-7 Xylene', '67-64-1']
    const made = await author.post(SUBSTANCES, { ...thinners, casNumbers, ...advice })
    expect(made.body).toMatchObject({ casNumbers: ['67-64-1 Acetone', '1330-20-7 Xylene'], ...advice })
    for (const refused of [
      await author.put(made.body['@id'], { casNumbers: ['67-64-1', '67-64-2 Acetone'] }),
      await author.patch(made.body['@id'], { casNumbers: ['67-64-1', 'Acetone'] }),
    ])
      expect([refused.status, wrongIn(refused)]).toEqual([422, ['casNumbers[1]']])
    for (const q of ['1330-20-7', 'xylene'])
      expect((await author.get(`${SUBSTANCES}?q=${q}`)).body['hydra:member']).toMatchObject([{ name: 'Thinners' }])
    const copy = await author.post(`${made.body['@id']}/copy`)
    expect((await author.get(copy.body['@id'])).body).toMatchObject({ casNumbers: made.body.casNumbers, ...advice })
    const exported = await author.get(`${SUBSTANCES}/export.csv?q=1330-20-7`)
    for (const text of [...made.body.casNumbers, ...Object.values(advice)]) expect(exported.text).toContain(text)
  })

  test('everyone who can read a substance can read its data sheet', async () => {
    const { client, author, worker } = await company()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const file = (
      await admin.send('POST', `/api/safety/uploads/${client.id}`, makeUploadForm(MINIMAL_PDF, 'sheet.pdf'))
    ).body
    expect((await worker.get(file['@id'])).status).toBe(404)
    const made = (await admin.post(SUBSTANCES, { ...thinners, sheet: file['@id'], sheetDate: '2022-05-01' })).body
    expect((await worker.get(file['@id'])).status).toBe(200)
    expect((await author.get(`${SUBSTANCES}?sheetDate[before]=2023-01-01`)).body['hydra:member']).toMatchObject([
      { name: 'Thinners', sheet: { name: 'sheet.pdf' } },
    ])
    const stranger = await company()
    expect((await stranger.worker.get(file['@id'])).status).toBe(404)
    const foreign = await stranger.author.post(SUBSTANCES, { ...thinners, sheet: file['@id'] })
    expect(foreign.status).toBe(400)
    await admin.put(made['@id'], { sheet: null })
    expect((await worker.get(file['@id'])).status).toBe(404)
  })
})
