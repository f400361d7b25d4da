import { expect, test } from 'vitest'
import { getPackRejectionReason, type NavigationEntry, navigationEntriesFor, packState } from './packs.ts'
import { type Actor, PROVIDER_CLIENT_ID } from './roles.ts'

const screen = (path: string, more: Partial<NavigationEntry> = {}): NavigationEntry => ({
  path,
  title: path,
  area: 'Documents',
  icon: 'shield',
  order: 1,
  allow: 'member',
  ...more,
})
const all = [
  screen('/second', { order: 2, allow: 'ROLE_EMPLOYEE' }),
  screen('/packed', { pack: 'safety' }),
  screen('/home', { area: 'Home', order: 9 }),
  screen('/described', { pack: 'safety', advert: true, allow: 'ROLE_CLIENT_ADMIN' }),
]
const person = (more: Partial<Actor> = {}): Actor => ({
  userId: 1,
  clientId: 3,
  username: 'ada',
  name: 'Ada',
  roles: ['ROLE_EMPLOYEE'],
  scopes: [],
  ...more,
})
const paths = (actor: Actor | undefined) => navigationEntriesFor(actor, all).map((s) => s.path)

test('the navigation sorts screens by area, then by position in the area', () => {
  expect(paths(person({ packs: { safety: 'active' } }))).toEqual(['/home', '/packed', '/second'])
})

test('the navigation shows a screen only to users with one of its roles', () => {
  expect(paths(person({ roles: [], packs: { safety: 'active' } }))).toEqual(['/home', '/packed'])
  expect(paths(undefined)).toEqual([])
})

test("the navigation shows a pack's screens to the provider and to clients whose pack is active or lapsed", () => {
  expect(paths(person())).toEqual(['/home', '/second'])
  expect(paths(person({ packs: { safety: 'lapsed' } }))).toContain('/packed')
  expect(paths(person({ clientId: PROVIDER_CLIENT_ID }))).toContain('/packed')
})

test('the description of a pack is shown only to clients without the pack', () => {
  const roles = ['ROLE_CLIENT_ADMIN']
  expect(paths(person({ roles }))).toEqual(['/home', '/described'])
  for (const state of ['active', 'lapsed'] as const)
    expect(paths(person({ roles, packs: { safety: state } }))).toEqual(['/home', '/packed'])
  expect(paths(person({ roles, clientId: PROVIDER_CLIENT_ID }))).not.toContain('/described')
})

test('a screen of several packs is shown to clients with one of them, and the widest access counts', () => {
  const packs = ['employees', 'safety'] as const
  expect(packState(person(), packs)).toBe('none')
  expect(packState(person({ packs: { safety: 'lapsed' } }), packs)).toBe('lapsed')
  expect(packState(person({ packs: { safety: 'active', employees: 'lapsed' } }), packs)).toBe('active')
  expect(getPackRejectionReason(person(), packs)).toBe(
    'Your company does not have the Employees or Health and safety pack.',
  )
})
