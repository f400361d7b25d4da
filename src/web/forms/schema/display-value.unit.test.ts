import { expect, test } from 'vitest'
import type { FormField } from '#kernel/forms/schema.ts'
import { formatDisplayValue } from './display-value.ts'

const method: FormField = { kind: 'richText', name: 'method', label: 'Method' }

test('rich text is displayed as plain text with its special characters unescaped', () => {
  const html = '<p>Say &quot;stop&quot; &amp; wait<br>for a &lt;nod&gt;</p><ul><li><p>Gloves</p></li></ul>'
  expect(formatDisplayValue(method, html)).toBe('Say "stop" & wait\nfor a <nod>\n• Gloves')
  expect(formatDisplayValue(method, '<p></p>')).toBe('Empty')
})
