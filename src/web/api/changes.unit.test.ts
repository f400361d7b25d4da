import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { changeReasonPrompt, checkChangePermission, READ_ONLY_MESSAGE } from './changes.ts'
import { callApi } from './client.ts'
import { type Me, session } from './session.ts'

const me = (writes: boolean): Me => ({
  '@id': '/api/portal/users/3',
  id: 3,
  username: 'admin.brick',
  name: 'Priya Shah',
  email: '',
  client: { '@id': '/api/portal/clients/1', id: 1, company: 'Brick & Beam' },
  brand: 'Portal',
  roles: ['ROLE_CLIENT_ADMIN'],
  scopes: [],
  team: [],
  packs: {},
  choices: [],
  isImpersonating: true,
  original: { id: 9, clientId: 0, username: 'staff', name: 'Sam Taylor' },
  impersonation: { until: '2026-03-01T10:30:00+00:00', reason: 'They rang', writes },
  fileLimit: 25 * 1024 * 1024,
  sessionHours: 12,
})
const sent: string[] = []
const visit = (writes: boolean) => session.begin({ token: 'token', expiresIn: 600, user: me(writes) })

beforeEach(() => {
  sent.length = 0
  vi.stubGlobal('fetch', async (path: string, { method }: { method: string }) => {
    sent.push(`${method} ${path}`)
    return new Response('{}', { status: 200, headers: { 'content-type': 'application/json' } })
  })
  visit(false)
})
afterEach(() => {
  vi.unstubAllGlobals()
  session.none()
})

test('an impersonator may make changes only after giving a reason; other users need none', () => {
  expect(checkChangePermission(me(false))).toBe('not until you say why')
  expect([
    checkChangePermission(me(true)),
    checkChangePermission({ ...me(false), impersonation: null }),
    checkChangePermission(undefined),
  ]).toEqual(['yes', 'yes', 'yes'])
})

test('a change made while impersonating is sent only after a reason has been entered', async () => {
  const saved = callApi('PUT', '/api/portal/clients/1', { city: 'York' })
  await vi.waitFor(() => expect(changeReasonPrompt.isAsked()).toBe(true))
  expect(sent).toEqual([])
  visit(true)
  changeReasonPrompt.settle(true)
  await saved
  expect(sent).toEqual(['PUT /api/portal/clients/1'])
})

test('a change is not sent if the impersonator declines to give a reason', async () => {
  const saved = callApi('PUT', '/api/portal/clients/1', { city: 'York' })
  await vi.waitFor(() => expect(changeReasonPrompt.isAsked()).toBe(true))
  changeReasonPrompt.settle(false)
  await expect(saved).rejects.toMatchObject({ code: 'visit_read_only', message: READ_ONLY_MESSAGE })
  expect(sent).toEqual([])
})

test("reads, requests about the user's own session and automatic requests never prompt for a reason", async () => {
  await callApi('GET', '/api/portal/clients/1')
  await callApi('POST', '/api/security/logout')
  await expect(callApi('POST', '/api/crm/contacts/5/lease', {}, { byItself: true })).rejects.toThrow(READ_ONLY_MESSAGE)
  expect([changeReasonPrompt.isAsked(), sent]).toEqual([
    false,
    ['GET /api/portal/clients/1', 'POST /api/security/logout'],
  ])
})
