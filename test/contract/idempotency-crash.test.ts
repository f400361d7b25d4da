import { beforeAll, expect, test } from 'vitest'
import { modules } from '#app/modules.ts'
import { createEngine } from '#server/engine/engine.ts'
import { createHttpApp } from '#server/http/app.ts'
import { CrashingDb } from '../support/ending.ts'
import { type TestClient, type TestUser, testPortal } from '../support/portal.ts'
import { makeUploadForm } from '../support/uploads.ts'

// Kills a process at each point of a request with an Idempotency-Key. When the client repeats the request at another
// process, it takes effect only once.

interface CrashRequest {
  readonly url: string
  readonly payload: string | Buffer
  readonly headers?: Record<string, string>
}

const portal = await testPortal()
const { db, sessions } = portal
const ending = new CrashingDb(db)
const engine = createEngine(ending, portal.engine.config, modules)
const doomed = await createHttpApp(engine, (token) => sessions.authenticate(token), false)

let client: TestClient
let user: TestUser
let token: string
beforeAll(async () => {
  client = await portal.client()
  user = await client.user({
    roles: [
      'ROLE_STAFF',
      'ROLE_BILLING_ADMIN',
      'ROLE_CLIENT_ADMIN',
      'ROLE_USER_ADMIN',
      'ROLE_RISK_CREATE_UNRESTRICTED',
    ],
  })
  token = (
    await sessions.open(
      { clientId: client.id, userId: user.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
  ).token
})

let count = 0
const json = (url: string, body: Record<string, unknown> = {}): CrashRequest => ({
  url,
  payload: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
})
async function made(url: string, body: Record<string, unknown>): Promise<string> {
  const answer = await client.as(user).post(url, body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body['@id']
}
const aLead = () => made('/api/crm/contacts', { companyName: `Acme ${++count}`, phone: '01632 960001' })
const aCustomer = () => made('/api/financial/customers', { email: `x${++count}@x.example`, metadata: {} })
const anArticle = async () => made('/api/financial/skus', { name: `Folder ${++count}`, amount: 1200 })
const aQuote = async () => ({ customer: await aCustomer(), skus: [{ sku: await anArticle(), quantity: 2 }] })

/** Creates two leads and requests a preview of their merge. */
async function aMerge() {
  const [survivor, merged] = [await aLead(), await aLead()]
  const other = merged.split('/').at(-1)
  const { body } = await client.as(user).get(`${survivor}/merge-preview?other=${other}`)
  return { survivor, merged, take: body.take, fingerprint: body.fingerprint }
}

const requests: [string, () => Promise<CrashRequest>][] = [
  ['a new lead', async () => json('/api/crm/contacts', { companyName: `New ${++count}` })],
  ['a call outcome', async () => json(`${await aLead()}/outcomes`, { result: '/api/crm/last_results/47' })],
  ['a merge of two leads', async () => json('/api/crm/merges', await aMerge())],
  ['an undone merge', async () => json(`${await made('/api/crm/merges', await aMerge())}/undo`)],
  ['a new quote with lines', async () => json('/api/financial/quotes', await aQuote())],
  ['a copied quote', async () => json(`${await made('/api/financial/quotes', await aQuote())}/copy`)],
  [
    'a coupon created through the alternative URL',
    async () => json('/api/financial/coupon', { name: `C${++count}`, percentOff: 5 }),
  ],
  [
    'a copied hazard',
    async () => {
      const group = await made('/api/safety/hazard_groups', { name: `G${++count}` })
      const hazard = await made('/api/safety/hazards', { name: `H${++count}`, group, description: 'Sharp' })
      await made('/api/safety/hazard_controls', { hazard, name: 'Wear gloves', description: 'Always', tier: 'ppe' })
      return json(`${hazard}/copy`)
    },
  ],
  [
    'an e-mailed invitation',
    async () => json(`${(await client.user({ email: `new${++count}@x.example` })).iri}/invite`),
  ],
  [
    'an uploaded file',
    async () => {
      const { headers, body } = makeUploadForm('%PDF-1.4\n%%EOF\n', 'a.pdf')
      return { url: `/api/safety/uploads/${client.id}`, headers, payload: body }
    },
  ],
]

const send = (app: typeof doomed, asked: CrashRequest, key: string) =>
  app.inject({
    method: 'POST',
    ...asked,
    headers: { ...asked.headers, authorization: `Bearer ${token}`, 'idempotency-key': key },
  })

/** Counts the effects of a request: its audit entries and outbox messages. */
const effects = async () => {
  const [row] = await db.tx('system', (tx) =>
    tx.rows<{ n: number }>(
      'SELECT (SELECT count(*) FROM audit WHERE client_id = $1)::int + (SELECT count(*) FROM outbox WHERE client_id = $1)::int AS n',
      [client.id],
    ),
  )
  return row?.n ?? 0
}

/** Lets minutes pass, after which a request without a stored response is considered dead. */
const later = () =>
  db.tx('system', (tx) =>
    tx.rows("UPDATE idempotency SET created_at = created_at - interval '10 minutes' WHERE client_id = $1", [client.id]),
  )

test.each(requests)('%s takes effect once, wherever the first process is killed', async (_, prepare) => {
  // A user's first request may have additional effects, such as creating their staff record.
  await send(portal.app, await prepare(), `first${++count}`)
  const asked = await prepare()
  const before = await effects()
  const undisturbed = await send(portal.app, asked, `whole${++count}`)
  expect(undisturbed.statusCode, undisturbed.body).toBeLessThan(300)
  const once = (await effects()) - before
  expect(once).toBeGreaterThan(0)
  const keys = Object.keys(undisturbed.body ? undisturbed.json() : {})

  for (let at = 1, survived = false; !survived; at++) {
    const next = await prepare()
    const start = await effects()
    const key = `killed${++count}`
    ending.left = at
    const first = await send(doomed, next, key)
    survived = !ending.ended
    ending.left = Number.POSITIVE_INFINITY
    if (!survived) expect(first.statusCode).toBe(500)
    await later()

    const second = await send(portal.app, next, key)
    expect([at, second.statusCode, second.body]).toEqual([at, undisturbed.statusCode, expect.anything()])
    expect([at, Object.keys(second.body ? second.json() : {})]).toEqual([at, keys])
    expect([at, (await effects()) - start]).toEqual([at, once])
    const third = await send(portal.app, next, key)
    expect([third.body, third.headers['idempotency-replayed']]).toEqual([second.body, 'true'])
    if (survived) expect(second.body).toBe(first.body)
  }
})
