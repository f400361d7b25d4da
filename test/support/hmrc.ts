import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApi } from './portal.ts'

type Json = Record<string, unknown>

/** Fault of the next request to a path: it never arrives, its response is lost, or it gets this response. */
type Fault = 'not come' | 'answer lost' | { readonly status: number; readonly body: Json }

interface Obligation {
  readonly periodKey: string
  readonly start: string
  readonly end: string
  readonly due: string
  readonly status: 'O' | 'F'
  readonly received?: string
}

const RECEIPT = { paymentIndicator: 'DD', formBundleNumber: '256660290587', chargeRefNumber: 'aCxFaNx0FZsCvyWF' }
const PENNIES_PER_POUND = 100

const refusal = (status: number, code: string, message: string, path?: string): { status: number; body: Json } => ({
  status,
  body: path
    ? { code: 'INVALID_REQUEST', message: 'Invalid request', errors: [{ code, message, path }] }
    : { code, message },
})

/**
 * Starts a local stand-in for HMRC's sign-in and VAT (MTD) API 1.0, with its published shapes and errors. Refresh tokens
 * work once, a period accepts one return, and `fail` simulates faults.
 */
export async function startFakeHmrc() {
  let count = 0
  const codes = new Map<string, { redirectUri: string; vrn: string }>()
  const refreshTokens = new Map<string, string>()
  const accessTokens = new Map<string, string>()
  const obligations: Obligation[] = []
  const returns = new Map<string, Json>()
  const faults: { at: RegExp; fault: Fault }[] = []
  const asked: { line: string; headers: IncomingMessage['headers']; body: string }[] = []

  const grant = (vrn: string) => {
    count += 1
    const access = `access-${count}-secret`
    const refresh = `refresh-${count}-secret`
    accessTokens.set(access, vrn)
    refreshTokens.set(refresh, vrn)
    return {
      status: 200,
      body: {
        access_token: access,
        refresh_token: refresh,
        expires_in: 14_400,
        scope: 'read:vat write:vat',
        token_type: 'bearer',
      },
    }
  }
  const token = (form: URLSearchParams) => {
    if (form.get('client_id') !== 'portal-id' || form.get('client_secret') !== 'portal-secret')
      return { status: 401, body: { error: 'invalid_client', error_description: 'invalid client id or secret' } }
    const key = form.get(form.get('grant_type') === 'refresh_token' ? 'refresh_token' : 'code') ?? ''
    const code = codes.get(key)
    const vrn = refreshTokens.get(key) ?? (code?.redirectUri === form.get('redirect_uri') ? code?.vrn : undefined)
    codes.delete(key)
    refreshTokens.delete(key)
    return vrn ? grant(vrn) : { status: 400, body: { error: 'invalid_grant', error_description: 'invalid or expired' } }
  }
  const submit = (vrn: string, sent: Json) => {
    const amount = (name: string) => Math.round(Number(sent[name]) * PENNIES_PER_POUND)
    const open = obligations.find((one) => one.periodKey === sent.periodKey)
    if (!open) return refusal(400, 'PERIOD_KEY_INVALID', 'Invalid period key')
    if (sent.finalised !== true) return refusal(403, 'NOT_FINALISED', 'User has not declared VAT return as final')
    if (amount('totalVatDue') !== amount('vatDueSales') + amount('vatDueAcquisitions'))
      return refusal(400, 'VAT_TOTAL_VALUE', 'totalVatDue should be equal to the sum', '/totalVatDue')
    if (amount('netVatDue') !== Math.abs(amount('totalVatDue') - amount('vatReclaimedCurrPeriod')))
      return refusal(400, 'VAT_NET_VALUE', 'netVatDue should be the difference', '/netVatDue')
    if (open.end >= new Date().toISOString().slice(0, 10))
      return refusal(403, 'TAX_PERIOD_NOT_ENDED', 'The remote endpoint has indicated that the tax period has not ended')
    if (returns.has(`${vrn} ${open.periodKey}`))
      return {
        status: 403,
        body: {
          code: 'BUSINESS_ERROR',
          message: 'Business validation error',
          errors: [
            { code: 'DUPLICATE_SUBMISSION', message: 'The VAT return was already submitted', path: '/periodKey' },
          ],
        },
      }
    returns.set(`${vrn} ${open.periodKey}`, sent)
    return { status: 201, body: { processingDate: new Date().toISOString().replace('Z', '+0000'), ...RECEIPT } }
  }
  const answerVat = (request: IncomingMessage, url: URL, text: string) => {
    const vrn = accessTokens.get((request.headers.authorization ?? '').replace('Bearer ', ''))
    if (!vrn) return refusal(401, 'INVALID_CREDENTIALS', 'Invalid Authentication information provided')
    if (request.headers.accept !== 'application/vnd.hmrc.1.0+json')
      return refusal(406, 'ACCEPT_HEADER_INVALID', 'The accept header is missing or invalid')
    const [, , , wanted = '', kind, key] = url.pathname.split('/')
    if (vrn !== wanted)
      return refusal(403, 'CLIENT_OR_AGENT_NOT_AUTHORISED', 'The client and/or agent is not authorised')
    if (kind === 'obligations') {
      const [from, to] = [url.searchParams.get('from') ?? '', url.searchParams.get('to') ?? '9999']
      const found = obligations.filter((o) => (from ? o.start >= from && o.end <= to : o.status === 'O'))
      return found.length
        ? { status: 200, body: { obligations: found } }
        : refusal(404, 'NOT_FOUND', 'The remote endpoint has indicated that no data can be found')
    }
    if (request.method === 'POST') return submit(vrn, JSON.parse(text) as Json)
    const found = returns.get(`${vrn} ${decodeURIComponent(key ?? '')}`)
    const { finalised: _, ...shown } = found ?? {}
    return found ? { status: 200, body: shown } : refusal(404, 'NOT_FOUND', 'The requested resource could not be found')
  }
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const url = new URL(request.url ?? '', 'http://hmrc.example')
      const line = `${request.method} ${url.pathname}`
      asked.push({ line, headers: request.headers, body: text })
      const at = faults.findIndex((one) => one.at.test(line))
      const [fault] = at < 0 ? [] : faults.splice(at, 1)
      if (fault?.fault === 'not come') return void request.socket.destroy()
      const made =
        typeof fault?.fault === 'object'
          ? fault.fault
          : url.pathname === '/oauth/token'
            ? token(new URLSearchParams(text))
            : answerVat(request, url, text)
      if (fault?.fault === 'answer lost') return void request.socket.destroy()
      response.writeHead(made.status, { 'content-type': 'application/json' }).end(JSON.stringify(made.body))
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      HMRC_CLIENT_ID: 'portal-id',
      HMRC_CLIENT_SECRET: 'portal-secret',
      HMRC_API: url,
      HMRC_VENDOR_IP: '203.0.113.6',
    },
    /**
     * Simulates a person who signs in at HMRC and grants authority. Returns the parameters that HMRC adds to the redirect
     * address.
     */
    authorise: (signInUrl: string, vrn: string): { code: string; state: string } => {
      const query = new URL(signInUrl).searchParams
      const code = `code-${++count}-secret`
      codes.set(code, { redirectUri: query.get('redirect_uri') ?? '', vrn })
      return { code, state: query.get('state') ?? '' }
    },
    expect: (...periods: readonly Obligation[]) => void obligations.splice(0, obligations.length, ...periods),
    /** Stores a return as if other software had filed it. */
    fileElsewhere: (vrn: string, body: Json) => void returns.set(`${vrn} ${String(body.periodKey)}`, body),
    returns: () => [...returns.values()],
    asked,
    /** Number of requests whose method and path match. */
    count: (at: RegExp) => asked.filter(({ line }) => at.test(line)).length,
    /** Fails the next request whose method and path match. */
    fail: (at: RegExp, fault: Fault) => void faults.push({ at, fault }),
    /** Revokes all access tokens and, if requested, the refresh tokens too. */
    expireTokens: ({ refresh = false } = {}) => {
      accessTokens.clear()
      if (refresh) refreshTokens.clear()
    },
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** Details that a browser sends about itself. */
export const BROWSER = {
  deviceId: 'beec798b-b366-47fa-b1f8-92cede14a1ce',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  timezone: '+01:00',
  screen: { width: 1920, height: 1080, scalingFactor: 1.5, colourDepth: 24 },
  window: { width: 1256, height: 803 },
}

/** A return with £20.01 VAT on sales of £100.05 and £7.50 VAT on purchases of £39.99. */
export const SENT = {
  periodKey: '18A1',
  vatDueSales: 20.01,
  vatDueAcquisitions: 0,
  totalVatDue: 20.01,
  vatReclaimedCurrPeriod: 7.5,
  netVatDue: 12.51,
  totalValueSalesExVAT: 100,
  totalValuePurchasesExVAT: 39,
  totalValueGoodsSuppliedExVAT: 0,
  totalAcquisitionsExVAT: 0,
  finalised: true,
}

type FakeHmrc = Awaited<ReturnType<typeof startFakeHmrc>>
const HMRC = '/api/financial/hmrc'

/** Signs in at HMRC, and returns the parameters that HMRC adds to the redirect address. */
export async function signInAtHmrc(hmrc: FakeHmrc, api: TestApi, vrn: string) {
  const { body } = await api.post(`${HMRC}/sign_in`, {})
  return hmrc.authorise(body.url, vrn)
}

export async function connectToHmrc(hmrc: FakeHmrc, api: TestApi, vrn: string): Promise<void> {
  const answer = await api.post(`${HMRC}/connect`, await signInAtHmrc(hmrc, api, vrn))
  if (answer.status !== 200) throw new Error(answer.text)
}
