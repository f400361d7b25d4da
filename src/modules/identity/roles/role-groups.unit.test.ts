import { expect, it } from 'vitest'
import { findUnassignableRoles, groupRoles } from './role-groups.ts'

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

it('roles are grouped by category, with uncategorised roles last', () =>
  expect(groupRoles(all).map((g) => [g.category, ...g.roles.map((r) => r.label)])).toEqual([
    ['Safety', 'Risk'],
    ['Sales', 'Leads', 'Quotes'],
    ['Others', 'Audits'],
  ]))

it('roles that a user already has are listed even if they can no longer be assigned', () =>
  expect(findUnassignableRoles(['R1', 'OLD'], all)).toEqual(['OLD']))
