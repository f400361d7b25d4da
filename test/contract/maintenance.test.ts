import { beforeAll, describe, expect, test } from 'vitest'
import { actionsWithUrl } from '#kernel/resource.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type TestApi, type TestPortal, testPortal } from '../support/portal.ts'
import { sampleShapes, sampleUnlessFullRun, testEach } from '../support/scope.ts'

const SENTENCE = 'We are moving to a larger server. We open again at noon.'
const OPEN = [
  'POST /api/security/login',
  ...['', '/passkey_options', '/app', '/app/confirm', '/passkeys', '/passkeys/options'].map(
    (step) => `POST /api/security/login/second_factor${step}`,
  ),
  'POST /api/security/renew',
  'POST /api/security/logout',
  'GET /api/security/user_check',
  'GET /api/security/user/unswitch',
  'GET /api/portal/public',
]

const usual = await testPortal()
let portal: TestPortal
let closed: [string, TestApi][]
let manager: TestApi
beforeAll(async () => {
  portal = await usual.with({ MAINTENANCE: SENTENCE })
  const client = await portal.client()
  closed = [
    ['nobody', portal.anonymous],
    ['an administrator of a client', client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))],
    ['staff', portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF'] }))],
  ]
  manager = portal.provider.as(await portal.provider.user({ roles: ['ROLE_STAFF', 'ROLE_USER_ADMIN'] }))
})

const addresses = [
  ...usual.engine.addressed.flatMap((r) =>
    [`GET ${r.url}`, `GET ${r.url}/1`].concat(r.allow.create ? `POST ${r.url}` : []),
  ),
  ...registryOf(usual.engine)
    .modules.flatMap((module) => module.routes ?? [])
    .map((route) => `${route.method} ${route.path}`),
]

describe('a portal in maintenance', () => {
  testEach(
    'an endpoint is closed during maintenance, and its response states the reason',
    sampleUnlessFullRun(
      addresses.filter((a) => !OPEN.includes(a)),
      () => [],
    ),
    String,
    async (address) => {
      const [method = '', path = ''] = address.split(' ')
      for (const [who, api] of closed) {
        const answer = await api.send(method, path.replace(/\{\w+\}/g, '1'))
        expect([who, answer.status, answer.headers['retry-after']]).toEqual([who, 503, '300'])
        expect(answer.body['hydra:description']).toBe(SENTENCE)
      }
    },
  )

  test('clients cannot change a record by any HTTP method during maintenance', async () => {
    const client = await portal.client()
    const admin = client.as(await client.user({ roles: ['ROLE_CLIENT_ADMIN'] }))
    const company = async () => (await manager.get(client.iri)).body.company
    const before = await company()
    for (const change of [
      () => admin.put(client.iri, { company: 'Updated' }),
      () => admin.patch(client.iri, { company: 'Updated' }),
    ]) {
      const answer = await change()
      expect([answer.status, answer.body['hydra:description']]).toEqual([503, SENTENCE])
    }
    expect(await company()).toBe(before)
    for (const r of sampleShapes(usual.engine.addressed)) {
      const doors = [
        ...(r.allow.update ? ['PUT 1', 'PATCH 1', 'POST bulk'] : []),
        ...(r.allow.delete ? ['DELETE 1'] : []),
        ...actionsWithUrl(r).map(([, action]) => `POST 1/${action.path}`),
      ].filter((door) => !door.endsWith('bulk') || r.bulk?.length)
      for (const door of doors) {
        const [method = '', path = ''] = door.split(' ')
        const { status } = await admin.send(method, `${r.url}/${path}`)
        expect(`${door} of ${r.url}: ${status}`).toBe(`${door} of ${r.url}: 503`)
      }
    }
  })

  test('administrators can sign in and work during maintenance', async () => {
    const boss = await portal.provider.user({ roles: ['ROLE_CLIENTS_ADMIN'], password: 'harbour tin piano' })
    const { status, body } = await portal.anonymous.post('/api/security/login', {
      username: boss.username,
      password: 'harbour tin piano',
    })
    expect(status).toBe(200)
    expect((await portal.bearing(body.token).get('/api/security/user_check')).status).toBe(200)
    expect((await portal.bearing(body.token).get('/api/portal/clients')).status).toBe(200)
    expect((await manager.get('/api/portal/users')).status).toBe(200)
  })

  test('an expired token gets 401 during maintenance, so that administrators can renew their tokens', async () => {
    for (const path of ['/api/crm/contacts', '/api/financial/acceptances/x'])
      expect((await portal.bearing('over').get(path)).status).toBe(401)
  })

  test('the reason for maintenance is public, and health checks still report the server as healthy', async () => {
    expect((await portal.anonymous.get('/api/portal/public')).body.maintenance).toBe(SENTENCE)
    for (const path of ['/healthz', '/readyz', '/api/docs.jsonld'])
      expect((await portal.anonymous.get(path)).status).toBe(200)
    const [, member] = closed[1] as [string, TestApi]
    expect((await member.get('/api/security/user_check')).status).toBe(200)
  })
})
