import { expect, test, vi } from 'vitest'
import { packState } from '#kernel/packs.ts'
import { actorOf, type Me, session } from './session.ts'

const me: Me = {
  '@id': '/api/portal/users/7',
  id: 7,
  username: 'ada',
  name: 'Ada',
  email: '',
  client: { '@id': '/api/portal/clients/3', id: 3, company: 'Ada Ltd' },
  brand: 'Portal',
  roles: ['ROLE_CLIENT_ADMIN'],
  scopes: [],
  team: [8],
  packs: { safety: 'lapsed' },
  choices: [],
  isImpersonating: false,
  original: null,
  impersonation: null,
  fileLimit: 25 * 1024 * 1024,
  sessionHours: 12,
}

test("the actor for the signed-in user includes the client's products and the team that reports to the user", () => {
  expect(packState(actorOf(me), 'safety')).toBe('lapsed')
  expect(actorOf(me).team).toEqual([8])
})

test('after a session has ended with a page open, a reload asks the server again; after a sign-out, it does not', () => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size
    },
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  session.begin({ token: 'a', expiresIn: 600, user: me })
  session.expired()
  expect(session.likely()).toBe(true)
  // The server has repeated its answer after the reload.
  session.expired()
  expect(session.likely()).toBe(false)
  session.begin({ token: 'b', expiresIn: 600, user: me })
  session.end()
  expect(session.likely()).toBe(false)
  vi.unstubAllGlobals()
})
