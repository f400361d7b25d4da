import { expect, it } from 'vitest'
import { findUnofferedRoles, groupRoles } from './role-groups.ts'

const role = (name: string, label: string, category?: string) => ({
  name,
  label,
  category: category ? { name: category } : null,
})
const all = [
  role('R1', 'Quotes', 'Sales'),
  role('R2', 'Audits'),
  role('R3', 'Leads', 'Sales'),
  role('R4', 'Risk', 'Safety'),
]

it('groups roles by category, those without one last', () =>
  expect(groupRoles(all).map((g) => [g.category, ...g.roles.map((r) => r.label)])).toEqual([
    ['Safety', 'Risk'],
    ['Sales', 'Leads', 'Quotes'],
    ['Others', 'Audits'],
  ]))

it('keeps roles that are held and no longer assignable', () =>
  expect(findUnofferedRoles(['R1', 'OLD'], all)).toEqual(['OLD']))
