import { describe, expect, it } from 'vitest'
import { flag, integer, longText, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import type { Actor } from '#kernel/roles.ts'
import type { ListColumn } from './columns.tsx'
import { collectColumnFields, findAdditionalFields, pickColumns } from './pick-columns.ts'

const column = (key: string, more: Partial<ListColumn<unknown>> = {}): ListColumn<unknown> => ({
  key,
  title: key,
  render: () => key,
  ...more,
})
const [due, name, city, size] = [
  column('due'),
  column('name', { link: true }),
  column('city', { wide: true }),
  column('size'),
]
const keys = (names: string) => pickColumns([due, name, city, size], [due, name], names).map((c) => c.key)

describe('the columns on screen', () => {
  it('a list shows its default columns unless existing columns have been chosen', () => {
    expect(keys('')).toEqual(['due', 'name'])
    expect(keys('gone,away')).toEqual(['due', 'name'])
  })

  it('chosen columns are shown in the chosen order, without duplicates or columns that no longer exist', () => {
    expect(keys('size,gone,name,size')).toEqual(['size', 'name'])
  })

  it('the column that links to the record is always shown', () => {
    expect(keys('size,city')).toEqual(['name', 'size', 'city'])
  })

  it('explicitly chosen columns are shown on narrow screens too', () => {
    expect(pickColumns([name, city], [name, city], 'name,city').map((c) => c.wide ?? false)).toEqual([false, false])
  })
})

const boat = resource({
  type: 'Boat',
  service: 'x',
  path: 'boats',
  table: 'boat',
  tenant: 'own',
  fields: {
    name: text(),
    length: integer(),
    log: longText(),
    key: text({ writeOnly: true }),
    illness: text({ confidential: 'ROLE_NURSE' }),
    margin: text({ visible: 'ROLE_STAFF' }),
    plan: text({ omitFromLists: true }),
    retired: flag(),
  },
  allow: {},
})
const person = (...roles: string[]): Actor => ({ userId: 1, clientId: 5, username: 'a', name: 'A', roles, scopes: [] })

it('a list offers the fields that the user may see as additional columns', () => {
  expect(findAdditionalFields(boat, person('ROLE_NURSE'), ['name'])).toEqual(['length', 'retired'])
  expect(findAdditionalFields(boat, person('ROLE_STAFF'), ['name'])).toEqual(['length', 'margin', 'retired'])
})

it("an exported file contains the fields of the list's columns", () => {
  expect(
    collectColumnFields(boat, [column('name'), column('state', { fields: ['retired', 'name'] }), column('chip')]),
  ).toEqual(['name', 'retired'])
})
