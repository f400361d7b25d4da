import { expect, test } from 'vitest'
import { verifyEvidence } from '#server/evidence/verify.ts'
import { testPortal } from '#test/support/portal.ts'
import { MAX_DAILY_SITE_REPORTS } from './site-link.ts'

const portal = await (await testPortal()).with({ TRUST_PROXY: '1' })
const SITES = '/api/safety/incident_sites'
const REPORTS = '/api/safety/incident_reports'

const world = async () => {
  const client = await portal.client()
  const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN', 'ROLE_INCIDENT_READER'] }))
  const site = (await admin.post(SITES, { name: 'Mill Lane' })).body
  const made = await admin.post(`${site['@id']}/link`, {})
  expect(made.status).toBe(200)
  const token = String(made.body.link.address).split('/report/')[1] ?? ''
  return { client, admin, site, at: `/api/safety/shared_sites/${token}`, made: made.body.link }
}

let sent = 0
const report = (more: Record<string, unknown> = {}) => ({
  key: `key-${++sent}`,
  description: 'A visitor slipped at the gate',
  datetime: portal.engine.clock.now().subtract({ minutes: 10 }).toString(),
  reportedBy: 'Vera Visitor',
  contact: '07700 900123',
  severity: 'minor',
  ...more,
})
const from = (n: number) => ({ 'x-forwarded-for': `203.0.113.${n}` })

test("a visitor can report an incident with a site's QR code, and the office can read the report", async () => {
  const { client, admin, site, at } = await world()
  const opened = (await portal.anonymous.get(at)).body
  expect(opened).toMatchObject({ '@type': 'SharedSite', site: 'Mill Lane', sentence: '' })
  const { status, body } = await portal.anonymous.post(`${at}/reports`, report({ injured: 'Vera' }))
  expect([status, body['@type'], body.number]).toEqual([200, 'SiteReport', expect.stringMatching(/^INC-\d{4}-0001$/)])
  const [listed] = (await admin.get(REPORTS)).body['hydra:member']
  expect(listed).toMatchObject({ number: body.number, byLink: true, reportedBy: 'Vera Visitor', state: 'reported' })
  const whole = (await admin.get(listed['@id'])).body
  expect([whole.site['@id'], whole.reporterContact, whole.personnel[0].name]).toEqual([
    site['@id'],
    '07700 900123',
    'Vera',
  ])
  expect((await verifyEvidence(portal.engine, client.id)).broken).toEqual([])
})

test('a visitor’s report with too many people or an unknown severity is refused, and nothing is stored', async () => {
  const { admin, at } = await world()
  const injured = Array.from({ length: 45 }, (_, n) => `Person ${n}`).join('\n')
  for (const [change, path] of [
    [{ injured }, 'injured'],
    [{ injured: 'x'.repeat(300) }, 'injured'],
    [{ severity: 'huge' }, 'severity'],
  ] as const)
    expect((await portal.anonymous.post(`${at}/reports`, report(change))).body).toMatchObject({
      violations: [{ propertyPath: path }],
    })
  expect((await admin.get(REPORTS)).body['hydra:totalItems']).toBe(0)
})

test('a report sent twice is stored once, and different content with the same key is refused', async () => {
  const { admin, at } = await world()
  const same = report()
  const [first, again] = [
    await portal.anonymous.post(`${at}/reports`, same),
    await portal.anonymous.post(`${at}/reports`, same),
  ]
  expect(again.body).toEqual(first.body)
  expect((await portal.anonymous.post(`${at}/reports`, { ...same, description: 'Other' })).status).toBe(409)
  expect((await admin.get(REPORTS)).body['hydra:totalItems']).toBe(1)
})

test('a report is refused if its other details were changed before it was sent again, and a long key is accepted', async () => {
  const { admin, at } = await world()
  const first = report({ key: 'k'.repeat(64), injured: 'Vera' })
  const { status, body } = await portal.anonymous.post(`${at}/reports`, first)
  expect(status).toBe(200)
  for (const change of [{ injured: 'Vera\nSam' }, { contact: '' }, { internalLocation: 'Gate' }, { severity: 'major' }])
    expect((await portal.anonymous.post(`${at}/reports`, { ...first, ...change })).status).toBe(409)
  // A change by the office does not turn a repeated report into another one.
  const [{ '@id': iri }] = (await admin.get(REPORTS)).body['hydra:member']
  expect((await admin.put(iri, { description: 'A visitor slipped on ice' })).status).toBe(200)
  expect((await portal.anonymous.post(`${at}/reports`, first)).body).toEqual(body)
})

test('a report by QR code does not say which person died, or that a person was hurt if nobody was', async () => {
  const { admin, at } = await world()
  const people = async (more: Record<string, unknown>) => {
    expect((await portal.anonymous.post(`${at}/reports`, report({ injured: 'Vera\nSam', ...more }))).status).toBe(200)
    const [{ '@id': iri }] = (await admin.get(REPORTS)).body['hydra:member']
    return (await admin.get(iri)).body.personnel.map(({ harm }: { harm: string | null }) => harm)
  }
  expect(await people({ severity: 'minor' })).toEqual(['injured', 'injured'])
  expect(await people({ severity: 'fatal' })).toEqual([null, null])
  expect(await people({ severity: 'none' })).toEqual([])
})

test('a link that is withdrawn while reports arrive accepts none after its withdrawal', async () => {
  const { admin, site, at } = await world()
  const sent = Array.from({ length: 8 }, (_, n) => portal.anonymous.post(`${at}/reports`, report(), from(n)))
  const withdrawn = await admin.delete(`${site['@id']}/link`)
  const [before] = await portal.db.tx('system', (tx) =>
    tx.rows<{ reports: number }>('SELECT count(*)::int AS reports FROM incident_report WHERE site_id = $1', [site.id]),
  )
  const statuses = (await Promise.all(sent)).map(({ status }) => status)
  expect(withdrawn.body.link).toBeNull()
  expect(statuses.filter((status) => status !== 200 && status !== 410)).toEqual([])
  expect(statuses.filter((status) => status === 200)).toHaveLength(before?.reports ?? 0)
})

test('no link can be created for a deleted site', async () => {
  const { admin } = await world()
  const site = (await admin.post(SITES, { name: 'Old yard', retired: true })).body
  expect((await admin.post(`${site['@id']}/link`, {})).status).toBe(409)
})

test('a site accepts at most twenty reports by QR code a day, even if they are sent at once', async () => {
  const { admin, at } = await world()
  const all = await Promise.all(
    Array.from({ length: MAX_DAILY_SITE_REPORTS + 3 }, (_, n) =>
      portal.anonymous.post(`${at}/reports`, report(), from(n)),
    ),
  )
  expect(all.filter(({ status }) => status === 200)).toHaveLength(MAX_DAILY_SITE_REPORTS)
  expect(all.filter(({ status }) => status === 409)).toHaveLength(3)
  expect((await admin.get(REPORTS)).body['hydra:totalItems']).toBe(MAX_DAILY_SITE_REPORTS)
  expect((await portal.anonymous.get(at)).body.sentence).toContain('the most for one day')
})

test('one network can send at most five reports an hour for a site, and a repeated report does not count', async () => {
  const { admin, at } = await world()
  const send = (body: Record<string, unknown>, n = 77) => portal.anonymous.post(`${at}/reports`, body, from(n))
  const same = report()
  for (let n = 0; n < 7; n++) expect((await send(same)).status).toBe(200)
  expect((await send(report({ description: '' }))).status).toBe(422)
  const all = await Promise.all(Array.from({ length: 6 }, () => send(report())))
  expect(all.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429])
  expect((await send(report())).body.detail).toContain('5 reports have been sent from your network')
  expect((await send(same)).status).toBe(200)
  expect((await send(report(), 78)).status).toBe(200)
  expect((await admin.get(REPORTS)).body['hydra:totalItems']).toBe(6)
})

test("a withdrawn QR code does not show the site's name", async () => {
  const { admin, site, at } = await world()
  await admin.delete(`${site['@id']}/link`)
  await admin.put(site['@id'], { name: 'Secret project' })
  const { body, text } = await portal.anonymous.get(at)
  expect([body.site, body.sentence]).toEqual(['', expect.stringContaining('no longer works')])
  expect(text).not.toContain('Secret project')
})

test('a withdrawn or changed QR code accepts no reports, and a new poster has a new code', async () => {
  const { admin, site, at, made } = await world()
  expect((await portal.anonymous.get(`${at.slice(0, -1)}${at.endsWith('A') ? 'B' : 'A'}`)).status).toBe(404)
  const poster = await admin.get(`${site['@id']}/link/poster`)
  expect([poster.status, poster.headers['content-type']]).toEqual([200, 'application/pdf'])
  expect((await admin.post(`${site['@id']}/link`, {})).body.link.address).toBe(made.address)
  expect((await admin.delete(`${site['@id']}/link`)).body.link).toBeNull()
  expect((await portal.anonymous.post(`${at}/reports`, report())).status).toBe(410)
  expect((await admin.get(`${site['@id']}/link/poster`)).status).toBe(409)
  const next = (await admin.post(`${site['@id']}/link`, {})).body.link.address
  expect(next).not.toBe(made.address)
})

test("only the company's approvers can manage a site's QR code", async () => {
  const { client, site } = await world()
  const worker = client.as(await client.user({ roles: ['ROLE_EMPLOYEE'] }))
  const stranger = (await world()).admin
  expect((await worker.post(`${site['@id']}/link`, {})).status).toBe(403)
  expect((await stranger.get(`${site['@id']}/link`)).status).toBe(404)
  expect((await worker.get('/api/safety/incident_site_links')).status).toBe(404)
})

test('a report by QR code needs a name, a time in the past and a description', async () => {
  const { at } = await world()
  const wrong = await portal.anonymous.post(
    `${at}/reports`,
    report({ reportedBy: '', description: ' ', datetime: portal.engine.clock.now().add({ hours: 1 }).toString() }),
    from(7),
  )
  expect(wrong.status).toBe(422)
})
