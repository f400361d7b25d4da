import { expect, test } from 'vitest'
import { text } from '#kernel/fields.ts'
import { resource, type Tenancy } from '#kernel/resource.ts'
import { BoundValues } from './values.ts'
import { tenantConditionSql } from './where.ts'

const conditionFor = (tenant: Tenancy, templates: boolean) => {
  const values = new BoundValues()
  const thing = resource({
    type: 'Thing',
    service: 'x',
    path: 'things',
    table: 'thing',
    tenant,
    allow: {},
    fields: { name: text() },
  })
  return [tenantConditionSql(thing, 12, values.next, templates), values.list]
}

// Row-level security would hide a missing condition from every test over HTTP.
test.each<[Tenancy, boolean, string]>([
  ['own', true, 't.client_id = $1::int'],
  ['own or template', false, 't.client_id = $1::int'],
  ['own or template', true, 't.client_id IN ($1::int, 0)'],
  ['self', true, 't.id = $1::int'],
])('a statement for tenancy "%s" (templates included: %s) is limited to its tenant', (tenant, templates, expected) => {
  expect(conditionFor(tenant, templates)).toEqual([expected, [12]])
})
