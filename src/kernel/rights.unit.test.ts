import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accessScopeFor, can, canRunActionInState } from './can.ts'
import { flag, text } from './fields.ts'
import { type AccessVerb, type Resource, type ResourcePermissions, resource, type Tenancy } from './resource.ts'
import { type Actor, authorOf, hasRole, PROVIDER_CLIENT_ID, parsePermissionScopes } from './roles.ts'
import { only } from './row-rules.ts'

const ROLES = ['ROLE_A', 'ROLE_B', 'ROLE_C', 'ROLE_WIDE', 'ROLE_RESELLER']
const thing = (tenant: Tenancy, allow: ResourcePermissions): Resource =>
  resource({
    type: 'Thing',
    service: 'x',
    path: 'things',
    table: 'thing',
    tenant,
    allow,
    fields: { name: text(), done: flag() },
  })
const anyone: fc.Arbitrary<Actor> = fc.record({
  userId: fc.nat(),
  clientId: fc.nat(5),
  username: fc.constant('a'),
  name: fc.constant('A'),
  roles: fc.subarray(ROLES),
  scopes: fc.constant([]),
})
const roles = fc.option(fc.oneof(fc.constantFrom(...ROLES, 'member', 'nobody'), fc.subarray(ROLES)), { nil: undefined })
const allow = fc
  .record({ read: roles, create: roles, update: roles, delete: roles, wide: roles, resold: roles })
  .map((a) => Object.fromEntries(Object.entries(a).filter(([, v]) => v !== undefined)) as ResourcePermissions)
const tenants = fc.constantFrom<Tenancy>('own', 'own or template', 'self')
const verbs = fc.constantFrom<AccessVerb>('read', 'create', 'update', 'delete')
const person = (clientId: number, ...held: string[]): Actor => ({
  userId: 1,
  clientId,
  username: 'a',
  name: 'A',
  roles: held,
  scopes: [],
})

describe('role checks', () => {
  test('a user has access with any of the required roles', () => {
    expect(hasRole(person(1, 'ROLE_A'), ['ROLE_B', 'ROLE_A'])).toBe(true)
    expect(hasRole(person(1, 'ROLE_A'), ['ROLE_B'])).toBe(false)
    expect(hasRole(person(1), [])).toBe(false)
    expect(hasRole(person(1), 'member')).toBe(true)
    expect(hasRole(person(1, 'ROLE_A'), 'nobody')).toBe(false)
  })

  test('an anonymous user has only the anonymous role', () => {
    fc.assert(
      fc.property(roles, (asked) => {
        expect(hasRole(undefined, asked ?? [])).toBe(false)
      }),
    )
    expect([hasRole(undefined, 'anonymous'), hasRole(undefined, ['ROLE_A', 'anonymous'])]).toEqual([true, true])
    expect(hasRole(person(1), 'anonymous')).toBe(true)
  })

  test('neither membership nor a misspelt role name grants a role', () => {
    expect(hasRole(person(1, 'member'), 'ROLE_A')).toBe(false)
    expect(hasRole(person(1, 'role_a', 'ROLE_A '), 'ROLE_A')).toBe(false)
  })
})

describe('the access scope', () => {
  test("the access scope covers all clients' rows only for provider staff with the required role", () => {
    fc.assert(
      fc.property(anyone, allow, tenants, verbs, (actor, a, tenant, verb) => {
        const { tenants: reach } = accessScopeFor(actor, verb, thing(tenant, a))
        if (reach === 'all')
          expect([actor.clientId, hasRole(actor, a.allTenants ?? 'nobody')]).toEqual([PROVIDER_CLIENT_ID, true])
      }),
    )
  })

  test('the access scope is empty without the role for the verb, and for anonymous users', () => {
    fc.assert(
      fc.property(anyone, allow, tenants, verbs, (actor, a, tenant, verb) => {
        const asked = a[verb] ?? (verb === 'read' ? 'member' : 'nobody')
        const r = thing(tenant, a)
        expect(accessScopeFor(actor, verb, r).tenants === 'none').toBe(!hasRole(actor, asked))
        expect(accessScopeFor(undefined, verb, r)).toEqual({ tenants: 'none' })
      }),
    )
  })

  test('the access scope includes templates and resold clients only for reading', () => {
    fc.assert(
      fc.property(anyone, allow, tenants, verbs, (actor, a, tenant, verb) => {
        const { tenants: reach } = accessScopeFor(actor, verb, thing(tenant, a))
        if (reach === 'own or template' || reach === 'resold') expect(verb).toBe('read')
      }),
    )
  })

  test("the access scope includes only the user's own rows if the resource declares this, unless a role grants more", () => {
    const r = thing('own', {
      read: 'member',
      allTenants: 'ROLE_WIDE',
      rows: [{ unless: 'ROLE_A', only: only.mine('id'), butWide: true }],
    })
    expect(accessScopeFor(person(1), 'read', r)).toEqual({ tenants: 'own', only: only.mine('id') })
    expect(accessScopeFor(person(1, 'ROLE_A'), 'read', r)).toEqual({ tenants: 'own' })
    expect(accessScopeFor(person(0, 'ROLE_WIDE'), 'read', r)).toEqual({ tenants: 'all' })
    expect(accessScopeFor(person(1, 'ROLE_WIDE'), 'read', r)).toEqual({ tenants: 'own', only: only.mine('id') })
  })
})

describe("a user's permissions", () => {
  test("a user has no access to another client's rows, except to read templates or with access to all clients", () => {
    fc.assert(
      fc.property(anyone, allow, tenants, verbs, fc.nat(5), (actor, a, tenant, verb, clientId) => {
        const r = thing(tenant, a)
        const foreign = clientId !== actor.clientId
        const template = tenant === 'own or template' && verb === 'read' && clientId === PROVIDER_CLIENT_ID
        const wide = accessScopeFor(actor, verb, r).tenants === 'all'
        expect(foreign && !template && !wide && can(actor, verb, r, { clientId })).toBe(false)
        expect(can(actor, verb, r, { clientId }) && !can(actor, verb, r)).toBe(false)
      }),
    )
  })

  test('a user can run an action only with its role and while the record is in a permitted state', () => {
    const r = resource({
      ...thing('own', {}),
      fields: { state: text() },
      state: 'state',
      actions: {
        close: { path: 'close', title: 'Close', allow: 'ROLE_A', input: {}, from: ['open'] },
        poke: { path: 'poke', title: 'Poke', allow: 'member', input: {} },
      },
    })
    expect(canRunActionInState(person(1, 'ROLE_A'), 'close', r, 'open')).toBe(true)
    expect(canRunActionInState(person(1, 'ROLE_A'), 'close', r, 'closed')).toBe(false)
    expect(canRunActionInState(person(1, 'ROLE_A'), 'close', r)).toBe(false)
    expect(canRunActionInState(person(1), 'close', r, 'open')).toBe(false)
    expect([
      canRunActionInState(person(1), 'poke', r),
      canRunActionInState(undefined, 'poke', r),
      canRunActionInState(person(1), 'none', r),
    ]).toEqual([true, false, false])
  })
})

describe('permission scopes', () => {
  test.each([
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [['a', 5, null], ['a']],
    [{ a: true, b: false, c: 'yes', d: 0 }, ['a', 'c']],
    [null, []],
    ['a', []],
    [5, []],
    [undefined, []],
  ])('permission scopes are parsed from %j', (stored, expected) => {
    expect(parsePermissionScopes(stored)).toEqual(expected)
  })
})

test('an action that must be done in person is refused while impersonating, whatever the roles', () => {
  const inPerson = thing('own', { create: 'member', update: 'member', whileImpersonating: ['update'] })
  const row = { id: 1, clientId: 1 }
  const visitor = { ...person(1, ...ROLES), original: { userId: 9, clientId: 0, username: 'staff', name: 'Staff' } }
  expect([can(person(1), 'create', inPerson, row), can(visitor, 'create', inPerson, row)]).toEqual([true, false])
  expect(can(visitor, 'update', inPerson, row)).toBe(true)
})

test('a change made during impersonation records the real person as its author', () => {
  const original = { userId: 9, clientId: 0, username: 'staff', name: 'Staff' }
  expect(authorOf(person(1))).toMatchObject({ userId: 1 })
  expect(authorOf({ ...person(1), original })).toBe(original)
})
