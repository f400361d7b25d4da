import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Field } from '#kernel/fields.ts'
import { SEAL_EVENT_LABELS } from '#modules/documents/audit-chain/seals.web.tsx'
import { isProtectedRole } from '#modules/identity/roles/role-groups.ts'
import { modules } from './modules.ts'
import { modules as screenModules } from './modules.web.ts'

/** Classes whose audit chain entries are shown on a screen. */
const SHOWN_CLASSES = ['Document', 'ToolboxTalkPresented']

test('every audit-chain event for a document or a presented toolbox talk has a label on the screen', () => {
  const events = modules
    .flatMap(({ evidence = [] }) => evidence)
    .flatMap((e) => (SHOWN_CLASSES.includes(e.of.type) ? Object.keys(e.events) : []))
  expect(events.length).toBeGreaterThan(12)
  expect(events.filter((event) => !SEAL_EVENT_LABELS[event])).toEqual([])
})

test('every role that can read a confidential field is protected', () => {
  const fields = modules.flatMap(({ resources }) => resources.flatMap((r) => Object.values<Field>(r.fields)))
  const roles = new Set(fields.flatMap((field) => [field.confidential ?? []].flat()))
  expect(roles.size).toBeGreaterThan(4)
  expect([...roles].filter((role) => !isProtectedRole(role))).toEqual([])
})

test('every area of the portal has a colour', () => {
  const css = readFileSync(new URL('../web/theme/base.css', import.meta.url), 'utf8')
  const areas = new Set(screenModules.flatMap((module) => module.pages.flatMap((page) => page.nav?.area ?? [])))
  expect(areas.size).toBeGreaterThan(5)
  expect([...areas].filter((area) => !css.includes(`[data-area="${area}"]`))).toEqual([])
})
