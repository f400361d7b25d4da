import { expect, test } from 'vitest'
import { SEAL_EVENT_LABELS } from '#modules/documents/audit-chain/seals.web.tsx'
import { modules } from './modules.ts'

/** Classes whose audit chain entries are shown on a screen. */
const SHOWN_CLASSES = ['Document', 'ToolboxTalkPresented']

test('every audit-chain event for a document or a presented toolbox talk has a label on the screen', () => {
  const events = modules
    .flatMap(({ evidence = [] }) => evidence)
    .flatMap((e) => (SHOWN_CLASSES.includes(e.of.type) ? Object.keys(e.events) : []))
  expect(events.length).toBeGreaterThan(12)
  expect(events.filter((event) => !SEAL_EVENT_LABELS[event])).toEqual([])
})
