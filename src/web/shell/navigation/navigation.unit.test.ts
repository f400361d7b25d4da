import { expect, test } from 'vitest'
import type { Actor } from '#kernel/roles.ts'
import type { Page } from '../pages/page.ts'
import { areaAt, areasFor, screenAt } from './navigation.ts'

const load = async () => ({ default: () => null })
const pages: Page[] = [
  {
    path: '/crm/contact/import',
    title: 'Import',
    allow: 'ROLE_LEADS_ADMIN',
    load,
    nav: { area: 'Sales', icon: 'upload', order: 2 },
  },
  {
    path: '/crm/contact/list',
    title: 'Leads',
    allow: 'ROLE_STAFF',
    load,
    nav: { area: 'Sales', icon: 'phone', order: 1 },
  },
  { path: '/crm/contact/view/:id', title: 'Lead', allow: 'ROLE_STAFF', load },
  { path: '/dashboard', title: 'Dashboard', load, nav: { area: 'Home', icon: 'home', order: 1, label: 'Start' } },
]
const actor = (...roles: string[]): Actor => ({ userId: 1, clientId: 0, username: 'a', name: 'A', roles, scopes: [] })
const names = (...args: Parameters<typeof areasFor>) =>
  areasFor(...args).map((a) => [a.area, a.screens.map((s) => s.label)])

test('areas and screens stand in order, for those who hold the right', () => {
  expect(names(pages, actor('ROLE_STAFF', 'ROLE_LEADS_ADMIN'))).toEqual([
    ['Home', ['Start']],
    ['Sales', ['Leads', 'Import']],
  ])
  expect(names(pages, actor())).toEqual([['Home', ['Start']]])
  expect(names(pages, undefined)).toEqual([])
})

test('the server may leave screens out of the areas that it lists, and of no others', () => {
  const everything = actor('ROLE_STAFF', 'ROLE_LEADS_ADMIN')
  expect(names(pages, everything, [{ path: '/crm/contact/list', area: 'Sales' }])).toEqual([
    ['Home', ['Start']],
    ['Sales', ['Leads']],
  ])
})

test('a page belongs to the screen that it names, whatever its address; where that is not theirs, to its folder', () => {
  const nav = { area: 'Sales', icon: 'phone', order: 1 } as const
  const list: Page = { path: '/crm/customers', title: 'Customers', load, nav }
  const other: Page = { path: '/crm/customer', title: 'Elsewhere', load, nav: { ...nav, area: 'Clients' } }
  const areas = areasFor([list, other], actor())
  expect(screenAt(areas, '/crm/customer/7', list.path)?.screen.label).toBe('Customers')
  expect(areaAt(areas, '/crm/customer/7', list.path)?.area).toBe('Sales')
  expect(screenAt(areas, '/crm/customer/7')?.screen.label).toBe('Elsewhere')
  expect(screenAt(areasFor([other], actor()), '/crm/customer/7', list.path)?.screen.label).toBe('Elsewhere')
  expect(screenAt(areas, '/crm/custom')).toBeUndefined()
})

test('a page below a screen, or beside it, belongs to its area', () => {
  const areas = areasFor(pages, actor('ROLE_STAFF'))
  expect(screenAt(areas, '/crm/contact/list')?.screen.label).toBe('Leads')
  expect(screenAt(areas, '/crm/contact/listing')).toBeUndefined()
  expect(areaAt(areas, '/crm/contact/view/7')?.area).toBe('Sales')
  expect(areaAt(areas, '/nowhere')).toBeUndefined()
})
