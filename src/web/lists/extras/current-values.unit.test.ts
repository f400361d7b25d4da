import { expect, test } from 'vitest'
import { link, text } from '#kernel/fields.ts'
import { type Resource, resource } from '#kernel/resource.ts'
import { describeCurrentValues } from './current-values.ts'

const person = resource({
  type: 'P',
  service: 's',
  path: 'ps',
  table: 'p',
  tenant: 'own',
  title: 'name',
  fields: { name: text() },
  allow: {},
})
const lead: Resource = resource({
  type: 'L',
  service: 's',
  path: 'ls',
  table: 'l',
  tenant: 'own',
  fields: { owner: link(() => person), trade: text() },
  allow: {},
})
const ann = { '@id': '/api/s/ps/1', id: 1, name: 'Ann Bell' }
const rows = [
  { id: 1, owner: null, trade: 'Roofer' },
  { id: 2, owner: ann, trade: null },
  { id: 3, owner: ann, trade: 'Roofer' },
]

test('the current values of selected rows are counted, the most frequent first', () => {
  expect(describeCurrentValues(lead, rows, 'owner')).toBe('Current owner: Ann Bell (2), nobody (1).')
  expect(describeCurrentValues(lead, rows, 'trade')).toBe('Current trade: Roofer (2), none (1).')
})
