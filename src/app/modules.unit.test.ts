import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { PACKS } from '#kernel/packs.ts'
import { DEMO_PEOPLE } from '#modules/identity/people/demo.server.ts'
import type { Page } from '#web/shell/manifest/page.ts'
import { areasFor } from '#web/shell/navigation/navigation.ts'
import { modules } from './modules.web.ts'

const pages: readonly Page[] = modules.flatMap((module) => module.pages)
const twice = (list: readonly unknown[]) => list.filter((one, i) => list.indexOf(one) !== i)

test('no two pages share a URL, and no two screens share a navigation position', () => {
  expect(twice(pages.map((p) => p.path))).toEqual([])
  expect(twice(pages.flatMap((p) => (p.nav ? `${p.nav.area} ${p.nav.order}` : [])))).toEqual([])
})

test('an area has at most nine entries, each with its own icon', () => {
  const entries = pages.flatMap(({ nav }) => (nav && nav.tabOf === undefined ? [nav] : []))
  const areas = ['Sales', 'Finance', 'Figures', 'E-mail', 'Clients', 'Documents', 'Files', 'Invoicing', 'Settings']
  const odd = areas.flatMap((area) => {
    const own = entries.filter((one) => one.area === area)
    return [
      ...(own.length > 9 ? [`${area}: ${own.length} entries`] : []),
      ...twice(own.map((one) => `${area}: ${one.icon}`)),
    ]
  })
  expect(odd).toEqual([])
})

test.each(DEMO_PEOPLE.filter(({ signsIn }) => signsIn))(
  'the menu of $username has at most nine areas and nine entries per area',
  (person) => {
    const packs = Object.fromEntries(PACKS.map((pack) => [pack, 'active' as const]))
    const areas = areasFor(pages, { ...person, userId: 1, scopes: [], packs })
    expect(areas.length).toBeLessThanOrEqual(9)
    const long = areas.flatMap(({ area, screens }) => (screens.length > 9 ? [[area, screens.map((s) => s.label)]] : []))
    expect(long).toEqual([])
  },
)

test('a tab belongs to an entry of the same area', () => {
  const entries = pages.flatMap(({ nav }) => nav ?? [])
  const lost = entries.filter(
    ({ tabOf, area }) => tabOf && !entries.some((one) => one.path === tabOf && one.area === area && !one.tabOf),
  )
  expect(lost.map(({ path }) => path)).toEqual([])
})

test('no two panels of a record screen share a position', () => {
  const panels = modules.flatMap((module) => module.panels)
  expect(twice(panels.map((p) => `${p.of} ${p.order}`))).toEqual([])
})

test('importing from the old path #rooms fails with an error that names #modules', () => {
  const { resolve } = createRequire(import.meta.url)
  expect(() => resolve('#rooms/crm/nav.ts')).toThrow(/rooms-is-now-modules[/\\]crm[/\\]nav[.]ts/)
})
