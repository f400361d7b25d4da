import { expect, it } from 'vitest'
import { buildPathPattern, comparePathSpecificity } from './patterns.ts'

it.each([
  ['/', ['/'], ['/login']],
  ['/crm/contact/list', ['/crm/contact/list', '/crm/contact/list/'], ['/crm/contact/list/2', '/x/crm/contact/list']],
  [
    '/crm/contact/view/:id?',
    ['/crm/contact/view', '/crm/contact/view/7'],
    ['/crm/contact/view/7/8', '/crm/contact/viewer'],
  ],
  ['/quote/:token', ['/quote/a.b-c'], ['/quote', '/quote/']],
  ['/files/*', ['/files', '/files/a/b'], ['/filesystem']],
])('the path pattern of %s matches only paths of that page', (path, at, notAt) => {
  const pattern = new RegExp(buildPathPattern(path))
  expect(at.filter((address) => !pattern.test(address))).toEqual([])
  expect(notAt.filter((address) => pattern.test(address))).toEqual([])
})

it('page paths with literal segments are sorted before those with parameters', () => {
  const paths = ['/a/*', '/a/:id?', '/a/:id', '/a/b', '/']
  expect(paths.toSorted(comparePathSpecificity)).toEqual(['/', '/a/b', '/a/:id', '/a/:id?', '/a/*'])
})
