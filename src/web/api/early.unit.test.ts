import { expect, it } from 'vitest'
import { resolveExpectedAddresses } from './early.ts'

const LIST = '/api/crm/contacts?page=1'

it('fills the addresses that a page needs with the values of its own address', () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', '/api/crm/staff']
  expect(resolveExpectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view/7', '?from=')).toEqual([
    '/api/crm/contacts/7',
    '/api/crm/contacts/7/actions?itemsPerPage=100',
    '/api/crm/staff',
  ])
})

it("leaves out addresses with a value that the page's address lacks", () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/staff']
  expect(resolveExpectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view', '')).toEqual([
    '/api/crm/staff',
  ])
})

it('requests an unfiltered list only where the address has no query', () => {
  const expected = { path: '/crm/contact/list', asks: [`?${LIST}`, '/api/crm/staff'] }
  expect(resolveExpectedAddresses(expected, '/crm/contact/list', '')).toEqual([LIST, '/api/crm/staff'])
  expect(resolveExpectedAddresses(expected, '/crm/contact/list', '?page=2')).toEqual(['/api/crm/staff'])
})
