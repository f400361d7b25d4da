import { expect, test } from 'vitest'
import { navigations } from '#rooms/identity/portal/navigation.ts'
import { pages } from './pages.ts'

const plain = (path: string) => path.replace(/\/:.*$/, '')

test('the navigation that the server gives is the one that the pages have, for the same people', () => {
  const shown = pages.flatMap((p) => (p.nav ? [[plain(p.path), p.nav.area, String(p.allow ?? 'member')]] : []))
  const given = navigations.map((n) => [n.path, n.area, String(n.allow)])
  expect(shown.toSorted()).toEqual(given.toSorted())
})

test('no address has two pages', () => {
  const paths = pages.map((p) => p.path)
  expect(paths.filter((p, i) => paths.indexOf(p) !== i)).toEqual([])
})
