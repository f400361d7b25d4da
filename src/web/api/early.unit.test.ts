import { expect, it } from 'vitest'
import { expectedAddresses } from './early.ts'

const LIST = '/api/crm/contacts?page=1'

it('asks what a page needs with what stands in its address', () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', '/api/crm/staff']
  expect(expectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view/7', '?from=')).toEqual([
    '/api/crm/contacts/7',
    '/api/crm/contacts/7/actions?itemsPerPage=100',
    '/api/crm/staff',
  ])
})

it('leaves out what the address does not have', () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/staff']
  expect(expectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view', '')).toEqual([
    '/api/crm/staff',
  ])
})

it('asks for a list as it begins only where the address does not narrow it', () => {
  const expected = { path: '/crm/contact/list', asks: [`?${LIST}`, '/api/crm/staff'] }
  expect(expectedAddresses(expected, '/crm/contact/list', '')).toEqual([LIST, '/api/crm/staff'])
  expect(expectedAddresses(expected, '/crm/contact/list', '?page=2')).toEqual(['/api/crm/staff'])
})
