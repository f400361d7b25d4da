import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER, connectToHmrc, SENT, signInAtHmrc, startFakeHmrc } from '#test/support/hmrc.ts'
import { type InvoiceWorld, makeInvoiceWorld } from '#test/support/invoices.ts'
import type { TestApi, TestPortal, TestUser } from '#test/support/portal.ts'

const HMRC = '/api/financial/hmrc'
const RETURNS = '/api/financial/vat_returns'
const VRN = '123456782'
const today = Temporal.Now.plainDateISO('Europe/London')
const thisMonth = today.with({ day: 1 })
// The period ended more than 14 days ago, so an invoice issued now leaves a supply's tax point in it.
const [from, to] = [
  thisMonth.subtract({ months: 2 }).toString(),
  thisMonth.subtract({ months: 1 }).subtract({ days: 1 }).toString(),
]
const due = today.add({ days: 30 }).toString()
const THROUGH_PROXY = { 'x-forwarded-for': '198.51.100.7' }

let hmrc: Awaited<ReturnType<typeof startFakeHmrc>>
let portal: TestPortal
beforeAll(async () => {
  hmrc = await startFakeHmrc()
})
afterAll(() => hmrc.close())

interface Books extends InvoiceWorld {
  /** The finance user on the portal that is set up for HMRC. */
  readonly user: TestApi
  readonly as: (user: TestUser) => Promise<TestApi>
}

async function books(): Promise<Books> {
  const w = await makeInvoiceWorld()
  portal = await w.portal.with({ ...hmrc.settings, PUBLIC_URL: 'https://portal.example', TRUST_PROXY: '1' })
  const as = async ({ clientId, id }: TestUser) => {
    const about = { address: '127.0.0.1', agent: 'test', browser: false }
    return portal.bearing((await portal.sessions.open({ clientId, userId: id }, about)).token)
  }
  const user = await as(
    await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'], username: `ann.${w.sellers.id}` }),
  )
  return { ...w, as, user }
}

const said = ({ body }: { body: { 'hydra:description'?: string } }) => body['hydra:description'] ?? ''

interface Draft {
  readonly iri: string
  readonly submit: (more?: Record<string, unknown>) => ReturnType<TestApi['post']>
  readonly check: () => ReturnType<TestApi['post']>
  readonly read: () => ReturnType<TestApi['get']>
}

/** Creates last month's return with £20.01 VAT on £100.05 and £7.50 VAT entered by hand, so box 5 is £12.51. */
async function makeDraft(w: Books, periodKey = '18A1'): Promise<Draft> {
  const draft = await w.invoice({
    lines: [{ description: 'Report', quantity: 1, unitAmount: 10_005, taxCode: 'standard' }],
  })
  await w.finance.post(`${draft['@id']}/issue`, { taxPoint: from })
  const made = await w.finance.post(RETURNS, { from, to, purchaseVat: 750, purchases: 3999 })
  if (made.status !== 201) throw new Error(made.text)
  const iri = made.body['@id']
  hmrc.expect({ periodKey, start: from, end: to, due, status: 'O' })
  return {
    iri,
    submit: (more = {}) =>
      w.user.post(`${iri}/submit`, { netVatDue: 1251, declared: true, browser: BROWSER, ...more }, THROUGH_PROXY),
    check: () => w.user.post(`${iri}/check`, { browser: BROWSER }),
    read: () => w.user.get(iri),
  }
}

describe('the connection to HMRC', () => {
  test('without HMRC settings, the page lists the missing ones, and no return can be sent', async () => {
    const w = await makeInvoiceWorld()
    const { body } = await w.finance.get(HMRC)
    expect(body).toMatchObject({
      configured: false,
      connected: false,
      missing: expect.stringContaining('HMRC_CLIENT_ID and HMRC_CLIENT_SECRET are not set'),
    })
    const made = await w.finance.post(RETURNS, { from, to })
    for (const path of [`${HMRC}/sign_in`, `${HMRC}/obligations`, `${made.body['@id']}/submit`])
      expect([path, (await w.finance.post(path, { netVatDue: 0, declared: true })).status]).toEqual([path, 409])
    await expect(w.portal.with({ HMRC_CLIENT_ID: 'x' })).rejects.toThrow('Set both HMRC_CLIENT_ID')
    await expect(w.portal.with({ HMRC_VENDOR_IP: 'here' })).rejects.toThrow('must be an IP address')
  })

  test('a finance user connects by signing in to HMRC, and the tokens are sealed and not in any response', async () => {
    const w = await books()
    expect((await w.user.get(HMRC)).body.missing).toContain('not connected to HMRC')
    const { body } = await w.user.post(`${HMRC}/sign_in`, {})
    const url = new URL(body.url)
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'portal-id',
      scope: 'read:vat write:vat',
      redirect_uri: 'https://portal.example/invoice/vat/hmrc',
    })
    const given = hmrc.authorise(body.url, VRN)
    const connected = await w.user.post(`${HMRC}/connect`, given)
    expect(connected.body).toMatchObject({ configured: true, connected: true, vrn: VRN, missing: '' })
    expect(connected.body.connectedBy).toBe(`ann.${w.sellers.id}`)
    const again = await w.user.post(`${HMRC}/connect`, given)
    expect([again.status, said(again)]).toEqual([409, expect.stringContaining('did not accept the authority')])
    for (const text of [connected.text, again.text, (await w.user.get(HMRC)).text, body.url])
      expect(text).not.toContain('-secret')
    const stored = JSON.stringify(await w.sql('SELECT * FROM hmrc_connection WHERE client_id = $1', [w.sellers.id]))
    const audit = JSON.stringify(await w.sql('SELECT * FROM audit WHERE client_id = $1', [w.sellers.id]))
    expect(stored).toContain(VRN)
    for (const text of [stored, audit]) expect(text).not.toMatch(/(access|refresh|code)-\d+-secret/)
    expect((await w.user.post(`${HMRC}/disconnect`, {})).body).toMatchObject({ connected: false })
    expect(await w.sql('SELECT id FROM hmrc_connection WHERE client_id = $1', [w.sellers.id])).toEqual([])
  })

  test("a request for HMRC's authority belongs to one user of one client, and staff without a finance role can't make one", async () => {
    const w = await books()
    const given = await signInAtHmrc(hmrc, w.user, VRN)
    const colleague = await w.as(await w.sellers.user({ roles: ['ROLE_STAFF', 'ROLE_FINANCE'] }))
    const refused = await colleague.post(`${HMRC}/connect`, given)
    expect([refused.status, said(refused)]).toEqual([409, expect.stringContaining('has expired or is not yours')])
    expect((await w.user.post(`${HMRC}/connect`, { ...given, state: 'forged' })).status).toBe(409)
    const staff = await w.as(await w.sellers.user({ roles: ['ROLE_STAFF'] }))
    const draft = await makeDraft(w)
    await connectToHmrc(hmrc, w.user, VRN)
    for (const path of [
      `${HMRC}/sign_in`,
      `${HMRC}/connect`,
      `${HMRC}/disconnect`,
      `${HMRC}/obligations`,
      `${draft.iri}/submit`,
      `${draft.iri}/check`,
    ])
      expect([path, (await staff.post(path, { ...given, netVatDue: 1251, declared: true })).status]).toEqual([
        path,
        403,
      ])
    expect((await staff.get(HMRC)).status).toBe(403)
  })

  test('another client can neither see nor use the connection', async () => {
    const [w, other] = [await books(), await books()]
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w)
    expect((await other.user.get(HMRC)).body).toMatchObject({ connected: false })
    expect((await other.user.post(`${HMRC}/obligations`, {})).status).toBe(409)
    expect((await other.user.post(`${draft.iri}/submit`, { netVatDue: 1251, declared: true })).status).toBe(404)
    expect((await other.user.post(`${HMRC}/disconnect`, {})).status).toBe(200)
    expect((await w.user.get(HMRC)).body.connected).toBe(true)
  })

  test('a request for open periods has all fraud-prevention headers that the portal can fill', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    await makeDraft(w)
    const listed = await w.user.post(`${HMRC}/obligations`, { browser: BROWSER }, THROUGH_PROXY)
    expect(listed.body['hydra:member']).toEqual([{ periodKey: '18A1', start: from, end: to, due, status: 'O' }])
    const { headers = {} } = hmrc.asked.findLast(({ line }) => line.endsWith('/obligations')) ?? {}
    expect(headers).toMatchObject({
      'gov-client-connection-method': 'WEB_APP_VIA_SERVER',
      'gov-client-public-ip': '198.51.100.7',
      'gov-client-public-ip-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[.]\d{3}Z$/),
      'gov-client-device-id': BROWSER.deviceId,
      'gov-client-user-ids': `stanchion=ann.${w.sellers.id}`,
      'gov-client-timezone': 'UTC+01:00',
      'gov-client-screens': 'width=1920&height=1080&scaling-factor=1.5&colour-depth=24',
      'gov-client-window-size': 'width=1256&height=803',
      'gov-client-browser-js-user-agent': BROWSER.userAgent,
      'gov-vendor-product-name': 'Stanchion',
      'gov-vendor-version': expect.stringMatching(/^stanchion-web=[\d.]+&stanchion-server=[\d.]+$/),
      'gov-vendor-public-ip': '203.0.113.6',
      'gov-vendor-forwarded': 'by=203.0.113.6&for=198.51.100.7',
    })
    // Unknown: the port behind a proxy, a second factor that was not used, and licences that don't exist.
    for (const name of ['gov-client-public-port', 'gov-client-multi-factor', 'gov-vendor-license-ids'])
      expect([name, headers[name]]).toEqual([name, undefined])
    await w.user.post(`${HMRC}/obligations`, {
      browser: { deviceId: 'x\r\ny', timezone: 'here', screen: { width: -1 } },
    })
    const bare = hmrc.asked.findLast(({ line }) => line.endsWith('/obligations'))?.headers ?? {}
    expect(
      Object.keys(bare)
        .filter((name) => name.startsWith('gov-'))
        .toSorted(),
    ).toEqual([
      'gov-client-connection-method',
      'gov-client-user-ids',
      'gov-vendor-product-name',
      'gov-vendor-public-ip',
      'gov-vendor-version',
    ])
  })

  test('an expired access token is refreshed once for simultaneous requests, and an expired authority requires a new connection', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    await makeDraft(w)
    hmrc.expireTokens()
    const before = hmrc.count(/oauth/)
    const both = await Promise.all([1, 2].map(() => w.user.post(`${HMRC}/obligations`, {})))
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(hmrc.count(/oauth/) - before).toBe(1)
    await w.sql("UPDATE hmrc_connection SET expires_at = now() - interval '1 hour' WHERE client_id = $1", [
      w.sellers.id,
    ])
    expect((await w.user.post(`${HMRC}/obligations`, {})).status).toBe(200)
    expect(hmrc.count(/oauth/) - before).toBe(2)
    hmrc.expireTokens({ refresh: true })
    const ended = await w.user.post(`${HMRC}/obligations`, {})
    expect([ended.status, said(ended)]).toEqual([409, expect.stringContaining('connection to HMRC has ended')])
    await connectToHmrc(hmrc, w.user, VRN)
    expect((await w.user.post(`${HMRC}/obligations`, {})).status).toBe(200)
    await w.sql("UPDATE client SET vat_number = 'GB 434 0314 94' WHERE id = $1", [w.sellers.id])
    expect((await w.user.get(HMRC)).body.missing).toContain('The connection is for VAT number 123456782')
  })
})

describe('a VAT return', () => {
  test('a VAT return is sent as previewed, closes its period, and shows HMRC’s receipt', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w)
    expect((await draft.submit({ declared: false })).status).toBe(422)
    const stale = await draft.submit({ netVatDue: 1 })
    expect([stale.status, said(stale)]).toEqual([409, expect.stringContaining('Nothing was filed')])
    expect(hmrc.count(/POST .*returns/)).toBe(0)
    const filed = await draft.submit()
    expect(filed.status).toBe(200)
    expect(filed.body).toMatchObject({
      state: 'filed',
      periodKey: '18A1',
      filedOn: today.toString(),
      submittedBy: `ann.${w.sellers.id}`,
      submissionMessage: '',
      receipt: { formBundleNumber: '256660290587', paymentIndicator: 'DD', chargeRefNumber: 'aCxFaNx0FZsCvyWF' },
      figures: { 1: 2001, 3: 2001, 4: 750, 5: 1251, 6: 10_000, 7: 3900 },
    })
    expect(hmrc.returns().at(-1)).toEqual(SENT)
    expect(JSON.parse(hmrc.asked.findLast(({ line }) => /POST .*returns/.test(line))?.body ?? '')).toEqual(SENT)
    expect((await draft.submit()).status).toBe(409)
    const late = await w.invoice({ lines: [{ description: 'Late', quantity: 1, unitAmount: 100 }] })
    const refused = await w.finance.post(`${late['@id']}/issue`, { taxPoint: to })
    expect([refused.status, said(refused)]).toEqual([409, expect.stringContaining('The books are closed')])
    const rows = await w.user.get(`${draft.iri}/rows?box=1`)
    expect(rows.body['hydra:member']).toMatchObject([{ amount: 2001 }])
  })

  test.each([
    [403, 'TAX_PERIOD_NOT_ENDED', 'this VAT period has not ended'],
    [400, 'PERIOD_KEY_INVALID', 'does not know this VAT period'],
    [400, 'VAT_TOTAL_VALUE', 'box 3 is not the sum'],
    [400, 'VRN_INVALID', 'does not know this VAT number'],
    [403, 'RULE_INSOLVENT_TRADER', 'insolvent'],
    [403, 'CLIENT_OR_AGENT_NOT_AUTHORISED', 'signed up for Making Tax Digital'],
    [429, 'MESSAGE_THROTTLED_OUT', 'too many requests'],
  ])('a VAT return refused with %i %s stays a draft, and its period stays open', async (status, code, sentence) => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w)
    hmrc.fail(/POST .*returns/, { status, body: { code, message: 'x' } })
    const refused = await draft.submit()
    expect([refused.status, said(refused)]).toEqual([
      409,
      expect.stringMatching(new RegExp(`${sentence}.*Nothing was filed`)),
    ])
    const { body } = await draft.read()
    expect(body).toMatchObject({ state: 'draft', figures: null, receipt: null, submissionMessage: said(refused) })
    const late = await w.invoice({ lines: [{ description: 'Late', quantity: 1, unitAmount: 100 }] })
    expect((await w.finance.post(`${late['@id']}/issue`, { taxPoint: to })).status).toBe(200)
  })

  test('a VAT return is not sent if HMRC does not expect its period or is unavailable', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w)
    hmrc.expect({ periodKey: '18A2', start: from, end: today.toString(), due, status: 'O' })
    const none = await draft.submit()
    expect([none.status, said(none)]).toEqual([409, expect.stringContaining('HMRC expects no return for')])
    hmrc.fail(/obligations/, { status: 503, body: { code: 'SERVER_ERROR', message: 'x' } })
    const faulty = await draft.submit()
    expect([faulty.status, said(faulty)]).toEqual([502, expect.stringMatching(/has a fault.*Nothing was filed/)])
    expect((await draft.read()).body).toMatchObject({ state: 'draft', submissionMessage: '' })
  })

  test('a VAT return whose response is lost is neither filed nor resent until HMRC confirms it', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w, '#001')
    hmrc.fail(/POST .*returns/, 'answer lost')
    const before = hmrc.count(/POST .*returns/)
    const unknown = await draft.submit()
    expect(unknown.body).toMatchObject({
      state: 'sending',
      figures: null,
      receipt: null,
      submissionMessage: expect.stringContaining('It is not known whether HMRC has received the return'),
    })
    const again = await draft.submit()
    expect([again.status, said(again)]).toEqual([409, expect.stringContaining('Check with HMRC')])
    expect(hmrc.count(/POST .*returns/) - before).toBe(1)
    const late = await w.invoice({ lines: [{ description: 'Late', quantity: 1, unitAmount: 100 }] })
    expect((await w.finance.post(`${late['@id']}/issue`, { taxPoint: to })).status).toBe(409)
    for (const change of [
      w.finance.put(draft.iri, { purchaseVat: 1 }),
      w.finance.delete(draft.iri),
      w.finance.post('/api/financial/vat_adjustments', { vatReturn: draft.iri, box: 1, amount: 1, reason: 'x' }),
    ])
      expect(said(await change)).toContain('Check with HMRC first')
    hmrc.fail(/GET .*returns/, 'not come')
    const away = await draft.check()
    expect([away.status, said(away)]).toEqual([502, expect.stringContaining('still not known')])
    const filed = await draft.check()
    expect(filed.body).toMatchObject({
      state: 'filed',
      receipt: null,
      figures: { 5: 1251 },
      submissionMessage: expect.stringContaining('already had this return, with the same figures'),
    })
    expect((await draft.check()).status).toBe(409)
  })

  test('a VAT return that never arrived becomes a draft again, and is then filed once', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w, '18D1')
    hmrc.fail(/POST .*returns/, 'not come')
    expect((await draft.submit()).body.state).toBe('sending')
    const checked = await draft.check()
    expect([checked.status, said(checked)]).toEqual([
      409,
      expect.stringContaining('HMRC has no return for this period'),
    ])
    expect((await draft.read()).body.state).toBe('draft')
    expect((await draft.submit()).body).toMatchObject({ state: 'filed', receipt: { formBundleNumber: '256660290587' } })
  })

  test("a VAT return can't be checked or recorded by hand while it is being sent", async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w, '18E1')
    hmrc.fail(/POST .*returns/, 'answer lost')
    await draft.submit()
    await w.sql("UPDATE vat_return SET submission_message = '' WHERE client_id = $1 AND state = 'sending'", [
      w.sellers.id,
    ])
    expect(said(await draft.check())).toContain('Wait two minutes')
    const byHand = () => w.user.post(`${draft.iri}/file`, { filedOn: today.toString(), netVatDue: 1251 })
    expect(said(await byHand())).toContain('Wait two minutes')
    await w.sql("UPDATE vat_return SET submitted_at = now() - interval '3 minutes' WHERE client_id = $1", [
      w.sellers.id,
    ])
    expect((await byHand()).body).toMatchObject({ state: 'filed', figures: { 5: 1251 }, submissionMessage: '' })
  })

  test('a VAT return that HMRC already has is recorded as filed only if the figures are the same', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w, '18B1')
    hmrc.fileElsewhere(VRN, { ...SENT, periodKey: '18B1', netVatDue: 12.5, vatReclaimedCurrPeriod: 7.51 })
    const other = await draft.submit()
    expect([other.status, said(other)]).toEqual([
      409,
      expect.stringMatching(
        /already has a return for this period, with other figures in boxes 4, 5[.] Box 5 is £12[.]50 at HMRC/,
      ),
    ])
    expect((await draft.read()).body.state).toBe('draft')
    hmrc.fileElsewhere(VRN, { ...SENT, periodKey: '18B1' })
    hmrc.expect({ periodKey: '18B1', start: from, end: to, due, status: 'F', received: thisMonth.toString() })
    const before = hmrc.count(/POST .*returns/)
    const same = await draft.submit()
    expect(same.body).toMatchObject({
      state: 'filed',
      receipt: null,
      filedOn: thisMonth.toString(),
      submissionMessage: expect.stringContaining('It was not sent twice'),
    })
    expect(hmrc.count(/POST .*returns/)).toBe(before)
  })

  test('if two users file a VAT return simultaneously, it is sent once', async () => {
    const w = await books()
    await connectToHmrc(hmrc, w.user, VRN)
    const draft = await makeDraft(w, '18C1')
    const before = hmrc.count(/POST .*returns/)
    const both = await Promise.all([draft.submit(), draft.submit()])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(hmrc.count(/POST .*returns/) - before).toBe(1)
    expect((await draft.read()).body.state).toBe('filed')
  })

  test('a VAT return can be filed by hand if there is no connection', async () => {
    const w = await books()
    const draft = await makeDraft(w)
    const unconnected = await draft.submit()
    expect([unconnected.status, said(unconnected)]).toEqual([409, expect.stringContaining('not connected to HMRC')])
    const filed = await w.user.post(`${draft.iri}/file`, { filedOn: today.toString(), netVatDue: 1251 })
    expect(filed.body).toMatchObject({ state: 'filed', receipt: null, periodKey: '', submittedAt: null })
  })
})
