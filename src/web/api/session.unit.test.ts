import { expect, test } from 'vitest'
import { packState } from '#kernel/packs.ts'
import { actorOf, type Me } from './session.ts'

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
