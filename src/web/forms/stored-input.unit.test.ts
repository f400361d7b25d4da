import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Code that protects an editor's input: storage, a question before it is lost, or a form with one of them. */
const SAFE = /\b(?:useStoredInput|useUnsavedChangesGuard|ResourceForm|SchemaForm|useResourceForm)\b/

/** Editors whose texts need no protection, with the reason. */
const EXCEPT: Readonly<Record<string, string>> = {
  'src/modules/billing/acceptance/acceptance.web.tsx': 'a reason for declining, of one line',
  'src/modules/billing/invoices/actions.web.tsx': 'a reason for an action, of one line',
  'src/modules/billing/quote-builder/details.web.tsx': 'the quote builder stores the draft',
  'src/modules/billing/quote-builder/head.web.tsx': 'a reason for an action, of one line',
  'src/modules/billing/subscriptions/change-dialog.web.tsx': 'notes on a reason, of one line',
  'src/modules/crm/calling/do-not-call.web.tsx': 'a reason for an action, of one line',
  'src/modules/crm/calling/note-box.web.tsx': 'the call screen stores the note (`calling/draft.web.ts`)',
  'src/modules/documents/signoff/excuse.web.tsx': 'a reason for an action, of one line',
  'src/modules/documents/signoff/request-signatures.web.tsx': 'a message to signers, of one line',
  'src/modules/incidents/phone/report-steps.web.tsx': 'the page stores the report (`device-draft.web.ts`)',
  'src/modules/incidents/people/statement-input.web.tsx': 'the dialog of the person asks before input is lost',
  'src/modules/incidents/statements/page.web.tsx': 'the page stores the statement (`device-draft.web.ts`)',
  'src/modules/people/leave-mass-update/mass-update.web.tsx': 'a reason for an action, of one line',
  'src/modules/safety/coshh/approach.web.tsx': 'the document’s form stores the value',
  'src/modules/safety/coshh/substance-row.web.tsx': 'the document’s form stores the value',
  'src/modules/safety/impact/item-uses-section.web.tsx': 'a reason for an action, of one line',
  'src/modules/safety/policies/function-dialog.web.tsx': 'the document’s form stores the value',
  'src/modules/safety/requests/send.web.tsx': 'a message with a pack, of one line',
  'src/web/forms/builder/question-dialog.tsx': 'the form editor stores the question',
}

test('every editor of longer texts stores unsaved input, or asks before it is lost', () => {
  const without = globSync('src/**/*.tsx').filter((path) => {
    const code = readFileSync(path, 'utf8')
    return /<Textarea\b/.test(code) && code.includes('useState') && !SAFE.test(code) && !(path in EXCEPT)
  })
  expect(without).toEqual([])
})

test('every file listed as an exception still needs to be one', () => {
  const needless = Object.keys(EXCEPT).filter((path) => {
    const code = readFileSync(path, 'utf8')
    return !/<Textarea\b/.test(code) || !code.includes('useState') || SAFE.test(code)
  })
  expect(needless).toEqual([])
})
