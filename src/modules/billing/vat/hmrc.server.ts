import { hash } from 'node:crypto'
import { BlockList, isIP } from 'node:net'
import type { Actor } from '#kernel/roles.ts'
import type { Instant } from '#kernel/time.ts'
import { secondFactorProvedAt } from '#server/auth/proof.ts'
import type { Config } from '#server/config.ts'
import type { RequestDetails } from '#server/engine/route.ts'
import { callService } from '#server/outgoing.ts'
import { PORTAL_VERSION } from '#server/version.ts'
import { describeHmrcError, type HmrcBrowserFacts, type HmrcObligation } from './hmrc.ts'
import type { HmrcReceipt, HmrcReturn } from './vat-return.ts'

type HmrcSettings = NonNullable<Config['hmrc']>

export interface HmrcTokens {
  readonly access: string
  readonly refresh: string
  /** Seconds until the access token expires. */
  readonly seconds: number
}

/** Authority and headers for a call about a VAT number. */
export interface HmrcAccess {
  readonly token: string
  readonly vrn: string
  /** Fraud-prevention headers. */
  readonly headers: Readonly<Record<string, string>>
}

/** HMRC's service for VAT. Every failure is an HmrcError. */
export interface HmrcService {
  /**
   * Returns the address at which a user authorises the portal. HMRC then opens the redirect address with `code` and
   * `state`.
   */
  signInUrl(state: string): string
  exchangeCode(code: string): Promise<HmrcTokens>
  /** Exchanges a refresh token, which works only once, for new tokens. */
  refresh(token: string): Promise<HmrcTokens>
  /** Returns the periods between two days or, without days, the open periods. */
  listObligations(
    access: HmrcAccess,
    days?: { readonly from: string; readonly to: string },
  ): Promise<readonly HmrcObligation[]>
  submitReturn(access: HmrcAccess, body: HmrcReturn): Promise<HmrcReceipt>
  /** Returns the return of a period; `undefined` if HMRC has none. */
  findReturn(access: HmrcAccess, periodKey: string): Promise<Omit<HmrcReturn, 'finalised'> | undefined>
}

/** Failure of a call to HMRC. Its message is a sentence for users and never contains a token. */
export class HmrcError extends Error {
  /** 0 without a response. */
  readonly status: number
  readonly codes: readonly string[]
  constructor(status: number, codes: readonly string[], message?: string) {
    super(describeHmrcError(status, codes, message))
    this.status = status
    this.codes = codes
  }
  /** True if HMRC may have carried out the request. */
  get isInDoubt(): boolean {
    return this.status === 0 || this.status >= 500 || this.status < 400
  }
}

const TIMEOUT_MS = 30_000
const MAX_BYTES = 500_000
const NOT_FOUND = 404
const SCOPE = 'read:vat write:vat'

interface Sent {
  readonly method: 'GET' | 'POST'
  readonly body?: string
}

/** Calls HMRC and returns its JSON. A response that is not JSON is an error with the response's status. */
async function callHmrc(url: string, sent: Sent, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const answer = await callService(url, sent, { headers, timeoutMs: TIMEOUT_MS, most: MAX_BYTES }).catch(
    () => undefined,
  )
  if (!answer) throw new HmrcError(0, [])
  const body = parseJsonObject(answer.text)
  if (answer.status >= 200 && answer.status < 300 && body) return body
  throw new HmrcError(answer.status, codesOf(body), textOf(body?.message))
}

type JsonObject = Readonly<Record<string, unknown>>

function parseJsonObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns the codes of an error, the detailed ones first. HMRC's sign-in service uses `error` instead of `code`. */
function codesOf(body: JsonObject | undefined): string[] {
  const details = Array.isArray(body?.errors) ? (body.errors as readonly JsonObject[]) : []
  return [...details.map((one) => textOf(one?.code)), textOf(body?.code), textOf(body?.error)].filter(Boolean)
}

const readTokens = (body: unknown): HmrcTokens => {
  const { access_token: access, refresh_token: refresh, expires_in: seconds } = body as JsonObject
  if (!textOf(access) || !textOf(refresh)) throw new HmrcError(502, [])
  return { access: textOf(access), refresh: textOf(refresh), seconds: Number(seconds) || 0 }
}

/** Creates the client for HMRC, using its published VAT (MTD) API 1.0 and OAuth 2. */
export function createHmrcService({ api, clientId, clientSecret }: HmrcSettings, redirectUri: string): HmrcService {
  const askToken = async (fields: Record<string, string>) =>
    readTokens(
      await callHmrc(
        `${api}/oauth/token`,
        {
          method: 'POST',
          body: new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields }).toString(),
        },
        { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      ),
    )
  const callVat = ({ token, vrn, headers }: HmrcAccess, path: string, sent: Sent) =>
    callHmrc(`${api}/organisations/vat/${vrn}${path}`, sent, {
      ...headers,
      accept: 'application/vnd.hmrc.1.0+json',
      authorization: `Bearer ${token}`,
      ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
    })
  return {
    // HMRC's sign-in pages have a different host from its API, in production and in the sandbox.
    signInUrl: (state) =>
      `${api.replace('api.service.hmrc.gov.uk', 'www.tax.service.gov.uk')}/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        scope: SCOPE,
        state,
        redirect_uri: redirectUri,
      })}`,
    exchangeCode: (code) => askToken({ grant_type: 'authorization_code', redirect_uri: redirectUri, code }),
    refresh: (token) => askToken({ grant_type: 'refresh_token', refresh_token: token }),
    listObligations: async (access, days) => {
      const query = new URLSearchParams(days ? { from: days.from, to: days.to } : { status: 'O' })
      const found = (await orNotFound(callVat(access, `/obligations?${query}`, { method: 'GET' }))) as
        | { obligations?: readonly HmrcObligation[] }
        | undefined
      return (found?.obligations ?? []).map(({ periodKey, start, end, due, status, received }) => ({
        periodKey,
        start,
        end,
        due,
        status,
        ...(received ? { received } : {}),
      }))
    },
    submitReturn: async (access, body) => {
      const sent = { method: 'POST', body: JSON.stringify(body) } as const
      const receipt = (await callVat(access, '/returns', sent)) as JsonObject
      return {
        processingDate: textOf(receipt.processingDate),
        formBundleNumber: textOf(receipt.formBundleNumber),
        paymentIndicator: textOf(receipt.paymentIndicator),
        chargeRefNumber: textOf(receipt.chargeRefNumber),
      }
    },
    findReturn: async (access, periodKey) =>
      (await orNotFound(callVat(access, `/returns/${encodeURIComponent(periodKey)}`, { method: 'GET' }))) as
        | HmrcReturn
        | undefined,
  }
}

/** Returns `undefined` if HMRC has no such record. */
const orNotFound = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((e: unknown) => {
    if (e instanceof HmrcError && e.status === NOT_FOUND) return undefined
    throw e
  })

const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6')

const isPublicAddress = (address: string): boolean =>
  isIP(address) > 0 && !PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

const encode = encodeURIComponent
const pairs = (of: Readonly<Record<string, string | number>>) =>
  Object.entries(of)
    .map(([key, value]) => `${key}=${encode(value)}`)
    .join('&')

const isSize = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 100_000
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const PRINTABLE = /^[\x20-\x7e]{1,500}$/
const PRODUCT = 'Stanchion'

/** Returns facts about the browser as headers. Missing and malformed facts are left out. */
function browserHeaders({ deviceId, userAgent, timezone, screen, window: size }: HmrcBrowserFacts) {
  return {
    ...(UUID.test(textOf(deviceId)) ? { 'Gov-Client-Device-ID': textOf(deviceId) } : {}),
    ...(PRINTABLE.test(textOf(userAgent)) ? { 'Gov-Client-Browser-JS-User-Agent': textOf(userAgent) } : {}),
    ...(/^[+-]\d\d:\d\d$/.test(textOf(timezone)) ? { 'Gov-Client-Timezone': `UTC${timezone}` } : {}),
    ...(isSize(screen?.width) && isSize(screen.height) && isSize(screen.scalingFactor) && isSize(screen.colourDepth)
      ? {
          'Gov-Client-Screens': pairs({
            width: screen.width,
            height: screen.height,
            'scaling-factor': screen.scalingFactor,
            'colour-depth': screen.colourDepth,
          }),
        }
      : {}),
    ...(isSize(size?.width) && isSize(size.height)
      ? { 'Gov-Client-Window-Size': pairs({ width: size.width, height: size.height }) }
      : {}),
  }
}

interface Origin {
  readonly actor: Pick<Actor, 'clientId' | 'userId' | 'username' | 'proof'>
  readonly request: Pick<RequestDetails, 'address' | 'port'>
  readonly now: Instant
}

const toMinute = (at: Instant) => `${at.toString().slice(0, 16)}Z`

/**
 * Builds HMRC's fraud-prevention headers for a web application with a server. Facts that the portal does not know have
 * no header.
 */
export function buildFraudHeaders(
  { vendorAddress }: Pick<HmrcSettings, 'vendorAddress'>,
  { actor, request, now }: Origin,
  browser: HmrcBrowserFacts,
): Record<string, string> {
  const from = isPublicAddress(request.address) ? request.address : undefined
  const provedAt = secondFactorProvedAt(actor)
  return {
    'Gov-Client-Connection-Method': 'WEB_APP_VIA_SERVER',
    'Gov-Client-User-IDs': pairs({ [PRODUCT.toLowerCase()]: actor.username }),
    ...browserHeaders(browser),
    ...(from
      ? {
          'Gov-Client-Public-IP': from,
          'Gov-Client-Public-IP-Timestamp': now.round('millisecond').toString({ fractionalSecondDigits: 3 }),
        }
      : {}),
    ...(from && request.port ? { 'Gov-Client-Public-Port': String(request.port) } : {}),
    ...(provedAt === undefined
      ? {}
      : {
          'Gov-Client-Multi-Factor': pairs({
            type: 'OTHER',
            timestamp: toMinute(Temporal.Instant.fromEpochMilliseconds(Math.trunc(provedAt))),
            'unique-reference': hash('sha256', `second factor of user ${actor.userId} of client ${actor.clientId}`),
          }),
        }),
    'Gov-Vendor-Product-Name': PRODUCT,
    'Gov-Vendor-Version': pairs({ 'stanchion-web': PORTAL_VERSION, 'stanchion-server': PORTAL_VERSION }),
    ...(vendorAddress ? { 'Gov-Vendor-Public-IP': vendorAddress } : {}),
    ...(vendorAddress && from ? { 'Gov-Vendor-Forwarded': pairs({ by: vendorAddress, for: from }) } : {}),
  }
}
