import { expect, it } from 'vitest'
import { resolveExpectedAddresses } from './early-requests.ts'

const LIST = '/api/crm/contacts?page=1'

it('early requests fill in the API addresses of a page with the values of its own address', () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', '/api/crm/staff']
  expect(resolveExpectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view/7', '?from=')).toEqual([
    '/api/crm/contacts/7',
    '/api/crm/contacts/7/actions?itemsPerPage=100',
    '/api/crm/staff',
  ])
})

it("early requests leave out API addresses with a value that the page's address lacks", () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/staff']
  expect(resolveExpectedAddresses({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view', '')).toEqual([
    '/api/crm/staff',
  ])
})

it("an early request for an unfiltered list is sent only if the page's address has no query", () => {
  const expected = { path: '/crm/contact/list', asks: [`?${LIST}`, '/api/crm/staff'] }
  expect(resolveExpectedAddresses(expected, '/crm/contact/list', '')).toEqual([LIST, '/api/crm/staff'])
  expect(resolveExpectedAddresses(expected, '/crm/contact/list', '?page=2')).toEqual(['/api/crm/staff'])
})
