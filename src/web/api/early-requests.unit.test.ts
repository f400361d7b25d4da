import { expect, it } from 'vitest'
import { resolvePrefetchUrls } from './early-requests.ts'

const LIST = '/api/crm/contacts?page=1'

it("prefetch URLs are filled in with the values in the page's URL", () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/contacts/:id/actions?itemsPerPage=100', '/api/crm/staff']
  expect(resolvePrefetchUrls({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view/7', '?from=')).toEqual([
    '/api/crm/contacts/7',
    '/api/crm/contacts/7/actions?itemsPerPage=100',
    '/api/crm/staff',
  ])
})

it("a prefetch URL is omitted if the page's URL lacks a value that the prefetch URL needs", () => {
  const asks = ['/api/crm/contacts/:id', '/api/crm/staff']
  expect(resolvePrefetchUrls({ path: '/crm/contact/view/:id?', asks }, '/crm/contact/view', '')).toEqual([
    '/api/crm/staff',
  ])
})

it("an unfiltered list is prefetched only if the page's URL has no query", () => {
  const expected = { path: '/crm/contact/list', asks: [`?${LIST}`, '/api/crm/staff'] }
  expect(resolvePrefetchUrls(expected, '/crm/contact/list', '')).toEqual([LIST, '/api/crm/staff'])
  expect(resolvePrefetchUrls(expected, '/crm/contact/list', '?page=2')).toEqual(['/api/crm/staff'])
})
