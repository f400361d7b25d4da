import { expect, test } from 'vitest'
import { type NavigationEntry, navigationEntriesFor } from './packs.ts'
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
