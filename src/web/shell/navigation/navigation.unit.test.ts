import { expect, test } from 'vitest'
import type { NavigationEntry } from '#kernel/packs.ts'
import type { Actor } from '#kernel/roles.ts'
import { type Page, pageFromNavigation } from '../manifest/page.ts'
import { areasFor, findAreaAt, findScreenAt } from './navigation.ts'

const load = async () => ({ default: () => null })
const at = (path: string, title: string, more: Partial<NavigationEntry> = {}): Page => ({
  ...pageFromNavigation({ path, title, area: 'Sales', icon: 'phone', order: 1, allow: 'member', ...more }),
  load,
})
const pages: Page[] = [
  at('/crm/contact/import', 'Import', { order: 2, allow: 'ROLE_LEADS_ADMIN' }),
  at('/crm/contact/list', 'Leads', { allow: 'ROLE_STAFF' }),
  { path: '/crm/contact/view/:id', title: 'Lead', allow: 'ROLE_STAFF', load },
  at('/dashboard', 'Start', { area: 'Home' }),
]
const actor = (...roles: string[]): Actor => ({ userId: 1, clientId: 0, username: 'a', name: 'A', roles, scopes: [] })
const names = (...args: Parameters<typeof areasFor>) =>
  areasFor(...args).map((a) => [a.area, a.screens.map((s) => s.label)])

test('areas and screens are sorted, and shown only to users with the required role', () => {
  expect(names(pages, actor('ROLE_STAFF', 'ROLE_LEADS_ADMIN'))).toEqual([
    ['Home', ['Start']],
    ['Sales', ['Leads', 'Import']],
  ])
  expect(names(pages, actor())).toEqual([['Home', ['Start']]])
  expect(names(pages, undefined)).toEqual([])
})

test('if the server lists screens for an area, only these are shown in that area', () => {
  const everything = actor('ROLE_STAFF', 'ROLE_LEADS_ADMIN')
  expect(names(pages, everything, [{ path: '/crm/contact/list', area: 'Sales' }])).toEqual([
    ['Home', ['Start']],
    ['Sales', ['Leads']],
  ])
})

test('a screen whose URL has optional parameters is linked without those parameters', () => {
  const staff = { ...at('/staff', 'Staff'), path: '/staff/:username?' }
  const [area] = areasFor([staff], actor(), [{ path: '/staff', area: 'Sales' }])
  expect(area?.screens.map((s) => s.path)).toEqual(['/staff'])
})

test("a page belongs to the screen that it names or, if the user can't see that screen, to its folder's screen", () => {
  const list = at('/crm/customers', 'Customers')
  const other = at('/crm/customer', 'Elsewhere', { area: 'Clients' })
  const areas = areasFor([list, other], actor())
  expect(findScreenAt(areas, '/crm/customer/7', list.path)?.screen.label).toBe('Customers')
  expect(findAreaAt(areas, '/crm/customer/7', list.path)?.area).toBe('Sales')
  expect(findScreenAt(areas, '/crm/customer/7')?.screen.label).toBe('Elsewhere')
  expect(findScreenAt(areasFor([other], actor()), '/crm/customer/7', list.path)?.screen.label).toBe('Elsewhere')
  expect(findScreenAt(areas, '/crm/custom')).toBeUndefined()
})

test("a page whose URL is below a screen's URL, or next to it, belongs to the screen's area", () => {
  const areas = areasFor(pages, actor('ROLE_STAFF'))
  expect(findScreenAt(areas, '/crm/contact/list')?.screen.label).toBe('Leads')
  expect(findScreenAt(areas, '/crm/contact/listing')).toBeUndefined()
  expect(findAreaAt(areas, '/crm/contact/view/7')?.area).toBe('Sales')
  expect(findAreaAt(areas, '/nowhere')).toBeUndefined()
})

test("related lists are tabs of one entry, which opens the first accessible list if the user can't open the entry's own", () => {
  const all = [
    at('/crm/refunds', 'Refunds', { tabOf: '/crm/charges', order: 0.5, allow: 'ROLE_STAFF' }),
    at('/crm/charges', 'Payments', { allow: 'ROLE_FINANCE' }),
    at('/crm/approvals', 'Approvals', { tabOf: '/crm/charges', order: 2, allow: 'ROLE_FINANCE' }),
  ]
  const tabsOf = (of: Actor) => areasFor(all, of)[0]?.screens.map((s) => [s.label, s.tabs.map(({ label }) => label)])
  expect(tabsOf(actor('ROLE_STAFF', 'ROLE_FINANCE'))).toEqual([['Payments', ['Payments', 'Refunds', 'Approvals']]])
  expect(tabsOf(actor('ROLE_STAFF'))).toEqual([['Refunds', []]])
  const found = findScreenAt(areasFor(all, actor('ROLE_STAFF', 'ROLE_FINANCE')), '/crm/refunds')
  expect([found?.screen.label, found?.tab.label]).toEqual(['Payments', 'Refunds'])
})
