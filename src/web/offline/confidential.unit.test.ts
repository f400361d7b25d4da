import { expect, test } from 'vitest'
import { flag, text } from '#kernel/fields.ts'
import { resource } from '#kernel/resource.ts'
import { holdsConfidential } from './confidential.ts'

resource({
  type: 'HealthRecord',
  service: 'example',
  path: 'health_records',
  table: 'health_record',
  tenant: 'own',
  fields: { finding: text({ confidential: 'ROLE_MANAGER' }), done: flag() },
  allow: {},
})

test('a record with something confidential in it is found, however deep in an answer; without it, it is not', () => {
  const record = { '@type': 'HealthRecord', done: true }
  expect(holdsConfidential({ 'hydra:member': [{ of: record }] })).toBe(false)
  expect(holdsConfidential({ ...record, finding: null })).toBe(false)
  expect(holdsConfidential({ 'hydra:member': [{ of: { ...record, finding: 'Asthma' } }] })).toBe(true)
  // The same name elsewhere is another field.
  expect(holdsConfidential({ '@type': 'Note', finding: 'Loose board' })).toBe(false)
})
