import { randomUUID } from 'node:crypto'
import { Problem, problem } from '#kernel/errors.ts'
import { text, typedJson } from '#kernel/fields.ts'
import type { RowOf } from '#kernel/resource.ts'
import { secretSealerFor } from '#server/auth/sealing.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { routeWithInput } from '#server/engine/route-input.ts'
import { publicPageUrl } from '#server/engine/secret-links.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { billingUrls } from '../billing-urls.ts'
import { loadSupplier } from '../print/financial-document.server.ts'
import { FINANCE_ROLES, INVOICING_PACK } from '../rights.ts'
import {
  buildFraudHeaders,
  createHmrcService,
  type HmrcAccess,
  HmrcError,
  type HmrcService,
  type HmrcTokens,
} from './hmrc.server.ts'
import { type HmrcBrowserFacts, type HmrcStatus, hmrcConnection, vrnOf } from './hmrc.ts'

type Connection = RowOf<typeof hmrcConnection>

const NOT_CONFIGURED =
  'This portal is not set up for Making Tax Digital: HMRC_CLIENT_ID and HMRC_CLIENT_SECRET are not set. File returns with other software, and record them here.'
const NO_VAT_NUMBER =
  'Your company has no correct UK VAT number. An administrator can enter it under Settings > Letterhead.'
const NOT_CONNECTED = 'The portal is not connected to HMRC. Choose “Connect to HMRC” on the page of VAT returns.'
const CONNECTION_ENDED = 'The connection to HMRC has ended. Disconnect, then connect again.'

/** Facts about the browser, as input. */
export const browserInput = typedJson<HmrcBrowserFacts>()({
  help: 'Facts for HMRC’s fraud-prevention headers: deviceId, userAgent, timezone, screen, window. Unknown facts are left out.',
})

const reason = 'read the connection to HMRC'
const sealedFor = (clientId: number) => `connection of client ${clientId} to HMRC`

async function loadConnection(
  engine: Engine,
  clientId: number,
): Promise<{ readonly vrn: string; readonly connection: Connection | undefined }> {
  return engine.readIn(clientId, reason, async (c) => {
    const { vatNumber, vatNumberFault } = await loadSupplier(c, { engine, clientId })
    const [connection] = await c.find(hmrcConnection, {})
    return { vrn: vatNumberFault ? '' : vrnOf(vatNumber), connection }
  })
}

type LoadedConnection = Awaited<ReturnType<typeof loadConnection>>

function describeMissing({ config }: Engine, { vrn, connection }: LoadedConnection): string {
  if (!config.hmrc) return NOT_CONFIGURED
  if (!vrn) return NO_VAT_NUMBER
  if (!connection) return NOT_CONNECTED
  return connection.vrn === vrn
    ? ''
    : `The connection is for VAT number ${connection.vrn}, but your company’s is ${vrn}. Disconnect, then connect again.`
}

async function loadStatus({ engine, me }: Pick<RouteContext, 'engine' | 'me'>): Promise<HmrcStatus> {
  const loaded = await loadConnection(engine, me.clientId)
  const { vrn, connection } = loaded
  const missing = describeMissing(engine, loaded)
  return {
    configured: engine.config.hmrc !== undefined,
    connected: connection !== undefined,
    vrn,
    connectedBy: connection?.author ?? '',
    connectedAt: connection?.createdAt ?? null,
    missing,
  }
}

function getService({ engine, me }: Pick<RouteContext, 'engine' | 'me'>): HmrcService {
  if (!engine.config.hmrc) throw problem.conflict(NOT_CONFIGURED)
  const page = `${billingUrls(me.clientId).vatReturns}/hmrc`
  return createHmrcService(engine.config.hmrc, publicPageUrl(engine.config, page))
}

/** Converts an HMRC failure to a Problem: 409 for a refusal, 502 if HMRC is busy, failing or unavailable. */
export const toHmrcProblem = (e: HmrcError, more = ''): Problem => {
  const sentence = more ? `${e.message} ${more}` : e.message
  return e.isInDoubt || e.status === 429
    ? new Problem(502, sentence, { code: 'gateway_failure' })
    : problem.conflict(sentence)
}

const orProblem = (e: unknown): never => {
  throw e instanceof HmrcError ? toHmrcProblem(e) : e
}

const REFRESH_BEFORE_SECONDS = 60

function sealTokens({ engine, clientId, now }: Context, tokens: HmrcTokens) {
  const sealer = secretSealerFor(engine.config)
  return {
    sealedAccess: sealer.seal(tokens.access, sealedFor(clientId)),
    sealedRefresh: sealer.seal(tokens.refresh, sealedFor(clientId)),
    expiresAt: now.add({ seconds: Math.max(0, tokens.seconds - REFRESH_BEFORE_SECONDS) }).toString(),
  }
}

const openToken = (engine: Engine, clientId: number, sealed: string): string => {
  try {
    return secretSealerFor(engine.config).open(sealed, sealedFor(clientId))
  } catch {
    throw problem.conflict(CONNECTION_ENDED)
  }
}

const refreshing = new WeakMap<Engine, Map<number, Promise<string>>>()

/** Returns a new access token. Simultaneous requests of this process share it, because a refresh token works once. */
function refreshAccess(c: RouteContext, service: HmrcService, seen: Connection): Promise<string> {
  const running = refreshing.get(c.engine) ?? new Map<number, Promise<string>>()
  refreshing.set(c.engine, running)
  const { clientId } = c.me
  const known = running.get(clientId)
  if (known) return known
  const asked = refreshOnce(c, service, seen).finally(() => running.delete(clientId))
  running.set(clientId, asked)
  return asked
}

/** Returns the access token with which another request has replaced this one, if any. */
async function findNewerAccess({ engine, me }: RouteContext, seen: Connection): Promise<string | undefined> {
  const { connection } = await loadConnection(engine, me.clientId)
  if (!connection) throw problem.conflict(NOT_CONNECTED)
  return connection.sealedAccess === seen.sealedAccess
    ? undefined
    : openToken(engine, me.clientId, connection.sealedAccess)
}

async function refreshOnce(c: RouteContext, service: HmrcService, seen: Connection): Promise<string> {
  const { engine, me } = c
  const newer = await findNewerAccess(c, seen)
  if (newer !== undefined) return newer
  let tokens: HmrcTokens
  try {
    tokens = await service.refresh(openToken(engine, me.clientId, seen.sealedRefresh))
  } catch (e) {
    if (!(e instanceof HmrcError) || e.isInDoubt || e.codes.includes('invalid_client')) throw e
    // Another process may have used the refresh token in the meantime.
    const replaced = await findNewerAccess(c, seen)
    if (replaced === undefined) throw problem.conflict(CONNECTION_ENDED)
    return replaced
  }
  return engine.inTenant(me.clientId, { actor: me, requestId: c.request.id }, async (unit) => {
    const [row] = await unit.lockAll(hmrcConnection, { id: seen.id })
    if (!row) throw problem.conflict(NOT_CONNECTED)
    await unit.set(hmrcConnection, row, sealTokens(unit, tokens), 'refresh')
    return () => tokens.access
  })
}

/**
 * Calls HMRC with the client's authority, outside any transaction. An expired access token is refreshed first; one that
 * HMRC no longer accepts is refreshed once, because HMRC does not carry out a call that it rejects in this way. Throws
 * 409 if the client is not connected, and an HmrcError if the call fails.
 */
export async function callWithAccess<T>(
  c: RouteContext,
  browser: HmrcBrowserFacts | null | undefined,
  call: (service: HmrcService, access: HmrcAccess) => Promise<T>,
): Promise<T> {
  const { engine, me } = c
  const { hmrc } = engine.config
  const loaded = await loadConnection(engine, me.clientId)
  const { connection } = loaded
  const missing = describeMissing(engine, loaded)
  if (missing || !connection || !hmrc) throw problem.conflict(missing || NOT_CONNECTED)
  const service = getService(c)
  const headers = buildFraudHeaders(hmrc, { actor: me, request: c.request, now: c.now }, browser ?? {})
  const callAs = (token: string) => call(service, { token, vrn: connection.vrn, headers })
  const isFresh = Temporal.Instant.compare(c.now, Temporal.Instant.from(connection.expiresAt)) < 0
  const token = isFresh
    ? openToken(engine, me.clientId, connection.sealedAccess)
    : await refreshAccess(c, service, connection)
  try {
    return await callAs(token)
  } catch (e) {
    if (!isFresh || !(e instanceof HmrcError && e.status === 401)) throw e
    return callAs(await refreshAccess(c, service, connection))
  }
}

const STATE_MINUTES = 10
const STATE_OWNER = 'request for authority at HMRC'

interface SignInState {
  readonly client: number
  readonly user: number
  readonly until: number
  readonly nonce: string
}

/** Returns a sealed text that HMRC sends back, so that only the person who asked for authority can complete it. */
function createState({ engine, me, now }: RouteContext): string {
  const state: SignInState = {
    client: me.clientId,
    user: me.userId,
    until: now.add({ minutes: STATE_MINUTES }).epochMilliseconds,
    nonce: randomUUID(),
  }
  return secretSealerFor(engine.config).seal(JSON.stringify(state), STATE_OWNER)
}

function isOwnState({ engine, me, now }: RouteContext, sealed: string): boolean {
  try {
    const state = JSON.parse(secretSealerFor(engine.config).open(sealed, STATE_OWNER)) as SignInState
    return state.client === me.clientId && state.user === me.userId && state.until > now.epochMilliseconds
  } catch {
    return false
  }
}

const signIn = async (c: RouteContext) => {
  const service = getService(c)
  const { vrn } = await loadConnection(c.engine, c.me.clientId)
  if (!vrn) throw problem.conflict(NO_VAT_NUMBER)
  return { url: service.signInUrl(createState(c)) }
}

async function connect(c: RouteContext, input: { readonly code: string; readonly state: string }): Promise<HmrcStatus> {
  const { engine, me } = c
  const service = getService(c)
  if (!isOwnState(c, input.state))
    throw problem.conflict('This request for authority has expired or is not yours. Choose “Connect to HMRC” again.')
  const { vrn } = await loadConnection(engine, me.clientId)
  if (!vrn) throw problem.conflict(NO_VAT_NUMBER)
  const tokens = await service.exchangeCode(input.code).catch((e: unknown) => {
    if (e instanceof HmrcError && !e.isInDoubt)
      throw problem.conflict('HMRC did not accept the authority. Choose “Connect to HMRC” again.')
    throw e instanceof HmrcError ? toHmrcProblem(e) : e
  })
  return engine.inTenant(me.clientId, { actor: me, requestId: c.request.id }, async (unit) => {
    const [before] = await unit.lockAll(hmrcConnection, {})
    const inner = unit.withoutPermissionCheck('store the connection to HMRC')
    if (before) await inner.remove(hmrcConnection, before)
    await (await inner.create(hmrcConnection, { vrn, ...sealTokens(unit, tokens) })).saved()
    return () => loadStatus(c)
  })
}

const disconnect = (c: RouteContext): Promise<HmrcStatus> => {
  return c.engine.inTenant(c.me.clientId, { actor: c.me, requestId: c.request.id }, async (unit) => {
    const [row] = await unit.lockAll(hmrcConnection, {})
    if (row) await unit.withoutPermissionCheck('disconnect from HMRC').remove(hmrcConnection, row)
    return () => loadStatus(c)
  })
}

const statusAnswer = (status: HmrcStatus) => ({ '@id': '/api/financial/hmrc', '@type': 'HmrcStatus', ...status })
const shared = { allow: FINANCE_ROLES, pack: INVOICING_PACK } as const

export const connectionRoutes: readonly Route[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/financial/hmrc',
    title: 'Get the connection to HMRC, and the next requirement for filing VAT returns with HMRC',
    handle: async (c) => statusAnswer(await loadStatus(c)),
  },
  routeWithInput(
    {},
    {
      ...shared,
      method: 'POST',
      path: '/api/financial/hmrc/sign_in',
      title: 'Get the address at which a person gives the portal authority at HMRC',
      secret: true,
      refuses: [409],
      handle: signIn,
    },
  ),
  routeWithInput(
    {
      code: text({ required: 'Please send the code from HMRC', max: 2000 }),
      state: text({ required: 'Please send the state from HMRC', max: 2000 }),
    },
    {
      ...shared,
      method: 'POST',
      path: '/api/financial/hmrc/connect',
      title: 'Complete the connection with the code that HMRC returned',
      secret: true,
      refuses: [409, 502],
      handle: async (c) => statusAnswer(await connect(c, c.input)),
    },
  ),
  routeWithInput(
    {},
    {
      ...shared,
      method: 'POST',
      path: '/api/financial/hmrc/disconnect',
      title: 'Delete the connection to HMRC from the portal',
      handle: async (c) => statusAnswer(await disconnect(c)),
    },
  ),
  routeWithInput(
    { browser: browserInput },
    {
      ...shared,
      method: 'POST',
      path: '/api/financial/hmrc/obligations',
      title:
        'List the VAT periods for which HMRC expects a return. It is a POST because HMRC requires facts of the browser',
      listOf: 'objects',
      refuses: [409, 502],
      handle: async (c) =>
        hydraCollection(
          await callWithAccess(c, c.input.browser, (service, access) => service.listObligations(access)).catch(
            orProblem,
          ),
        ),
    },
  ),
]
