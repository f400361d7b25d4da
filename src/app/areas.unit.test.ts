import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from './modules.web.ts'

test('every area of the portal has a colour', () => {
  const css = readFileSync(new URL('../web/theme/base.css', import.meta.url), 'utf8')
  const areas = new Set(modules.flatMap((module) => module.pages.flatMap((page) => page.nav?.area ?? [])))
  expect(areas.size).toBeGreaterThan(5)
  expect([...areas].filter((area) => !css.includes(`[data-area="${area}"]`))).toEqual([])
})
