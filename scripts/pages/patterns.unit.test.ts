import { expect, it } from 'vitest'
import { byExactness, patternOf } from './patterns.ts'

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
])('%s is shown at its own addresses only', (path, at, notAt) => {
  const pattern = new RegExp(patternOf(path))
  expect(at.filter((address) => !pattern.test(address))).toEqual([])
  expect(notAt.filter((address) => pattern.test(address))).toEqual([])
})

it('words come before what may be anything', () => {
  const paths = ['/a/*', '/a/:id?', '/a/:id', '/a/b', '/']
  expect(paths.toSorted(byExactness)).toEqual(['/', '/a/b', '/a/:id', '/a/:id?', '/a/*'])
})
