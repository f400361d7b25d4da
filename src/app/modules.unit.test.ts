import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import type { Page } from '#web/shell/manifest/page.ts'
import { modules } from './modules.web.ts'

const pages: readonly Page[] = modules.flatMap((module) => module.pages)
const twice = (list: readonly unknown[]) => list.filter((one, i) => list.indexOf(one) !== i)

test('no two pages share a URL, and no two screens share a navigation position', () => {
  expect(twice(pages.map((p) => p.path))).toEqual([])
  expect(twice(pages.flatMap((p) => (p.nav ? `${p.nav.area} ${p.nav.order}` : [])))).toEqual([])
})

test('no two panels of a record screen share a position', () => {
  const panels = modules.flatMap((module) => module.panels)
  expect(twice(panels.map((p) => `${p.of} ${p.order}`))).toEqual([])
})

test('importing from the old path #rooms fails with an error that names #modules', () => {
  const { resolve } = createRequire(import.meta.url)
  expect(() => resolve('#rooms/crm/nav.ts')).toThrow(/rooms-is-now-modules[/\\]crm[/\\]nav[.]ts/)
})
