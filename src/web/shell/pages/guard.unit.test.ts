import { expect, test } from 'vitest'
import type { Me, SessionState } from '../../api/session.ts'
import type { Page } from '../manifest/page.ts'
import { pageChecks } from './checks.ts'
import { checkNamesOf, type PageCheck, runPageChecks } from './guard.ts'

const CLIENT = { '@id': '/api/portal/clients/0', id: 0, company: 'Provider' }
const me = (...roles: string[]) => ({ id: 1, client: { id: 0 }, roles, scopes: [], original: null }) as unknown as Me
const signedIn = (...roles: string[]): SessionState => ({ kind: 'in', me: me(...roles) })
const page = (extra: Partial<Page> = {}): Page => ({ path: '/x', title: 'X', ...extra })
const run = (
  p: Page,
  state: SessionState,
  { url = '/x', maintenance = null as string | null, known = pageChecks as Record<string, PageCheck> } = {},
) =>
  runPageChecks(
    {
      page: p,
      params: {},
      url: new URL(url, 'http://portal'),
      session: async () => state,
      maintenance: async () => maintenance,
    },
    known,
  )

test("the standard page checks run in order, before the page's own checks", () => {
  expect(checkNamesOf(page({ checks: ['mine'] }))).toEqual(['authentication', 'navigation', 'maintenance', 'mine'])
  expect(checkNamesOf(page({ open: true, checks: ['guest'] }))).toEqual(['guest'])
})

test('page checks stop at the first that fails', async () => {
  const ran: string[] = []
  const known = Object.fromEntries(
    ['authentication', 'navigation', 'maintenance', 'mine'].map((n): [string, PageCheck] => [
      n,
      () => {
        ran.push(n)
        return n === 'navigation' ? { redirect: '/elsewhere' } : undefined
      },
    ]),
  )
  expect(await run(page({ checks: ['mine'] }), signedIn(), { known })).toEqual({ redirect: '/elsewhere' })
  expect(ran).toEqual(['authentication', 'navigation'])
})

test('an unknown page check is an internal error, even if its name is a property of Object.prototype', async () => {
  expect(await run(page({ checks: ['packs'] }), signedIn())).toEqual({
    status: 500,
    message: 'Unknown middleware packs',
  })
  expect(await run(page({ checks: ['constructor'] }), signedIn())).toEqual({
    status: 500,
    message: 'Unknown middleware constructor',
  })
})

test('a page URL that fails its validity check returns a 404', async () => {
  expect(await run(page({ valid: () => false }), signedIn())).toEqual({
    status: 404,
    message: 'This page could not be found',
  })
  expect(await run(page({ valid: () => true }), signedIn())).toBeUndefined()
})

test('users without a session are redirected to sign-in and back, with the reason if their session has expired', async () => {
  expect(await run(page(), { kind: 'out', expired: false }, { url: '/x?a=1#b' })).toEqual({
    redirect: '/?next=%2Fx%3Fa%3D1%23b',
  })
  expect(await run(page(), { kind: 'out', expired: true })).toEqual({ redirect: '/?error=Expired%20Session&next=%2Fx' })
})

test('a page that the user may not open returns a 403 that names the missing role', async () => {
  expect(await run(page({ allow: 'ROLE_STAFF' }), signedIn('ROLE_STAFF'))).toBeUndefined()
  expect(await run(page({ allow: 'ROLE_STAFF' }), signedIn())).toMatchObject({ status: 403, needs: 'ROLE_STAFF' })
})

test('during maintenance, only administrators can open pages', async () => {
  const closed = { maintenance: 'Back at noon' }
  for (const state of [signedIn(), signedIn('ROLE_STAFF')])
    expect(await run(page(), state, closed)).toEqual({ redirect: '/maintenance' })
  expect(await run(page(), signedIn('ROLE_USER_ADMIN'), closed)).toBeUndefined()
})

test('signed-in users are redirected from the sign-in page', async () => {
  const signIn = page({ path: '/', open: true, checks: ['guest'] })
  expect(await run(signIn, signedIn(), { url: '/' })).toEqual({ redirect: '/dashboard' })
  expect(await run(signIn, signedIn(), { url: '/?next=%2Fprofile' })).toEqual({ redirect: '/profile' })
  expect(await run(signIn, { kind: 'out', expired: true }, { url: '/' })).toBeUndefined()
})

test("clients without a pack can't open its pages, and clients whose pack has lapsed can't open its forms", async () => {
  const of = (packs: Me['packs'], clientId = 7): SessionState => ({
    kind: 'in',
    me: { ...me(), client: { ...CLIENT, id: clientId }, packs },
  })
  const [list, form] = [page({ pack: 'safety' }), page({ pack: 'safety', writes: true })]
  const blocked = { status: 403, message: 'You do not have access to this part of the portal', blocked: true }
  expect(await run(list, of({}))).toEqual(blocked)
  expect(await run(list, of({ safety: 'lapsed' }))).toBeUndefined()
  expect(await run(form, of({ safety: 'lapsed' }))).toEqual(blocked)
  expect(await run(form, of({ safety: 'active' }))).toBeUndefined()
  expect(await run(form, of({}, 0))).toBeUndefined()
})
