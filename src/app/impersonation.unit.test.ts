import { expect, test } from 'vitest'
import { modules } from './modules.ts'

const resources = modules.flatMap((module) => module.resources ?? [])

test('impersonation allows creating and changing only details, drafts, libraries, files, leads, views, tickets and seats', () => {
  const allowed = resources.flatMap(({ type, allow: { whileImpersonating = [] } }) =>
    whileImpersonating.length ? [`${type}: ${whileImpersonating.join(', ')}`] : [],
  )
  expect(allowed.toSorted()).toEqual([
    'Client: update',
    'Contact: create, update',
    'CorrectiveAction: create, update',
    'CoshhAssessment: create, update',
    'CustomForm: create, update',
    'Customer: create, update',
    'DocumentFolder: create, update',
    'Handbook: create, update',
    'Hazard: create, update',
    'HazardControl: create, update',
    'HazardGroup: create, update',
    'IncidentDepartment: create, update',
    'IncidentReport: create, update',
    'IncidentSite: create, update',
    'IncidentWorkforceMonth: create, update',
    'Invoice: create, update, delete',
    'ListSetting: create, update',
    'ManagementHandbook: create, update',
    'MethodStatement: create, update',
    'Note: create',
    'Policy: create, update',
    'PolicyArrangement: create, update',
    'PolicyFunction: create, update',
    'PolicyPerson: create, update',
    'Ppe: create, update',
    'Quote: create, update',
    'RamsPack: create, update',
    'RiskAssessment: create, update',
    'RiskItem: create, update',
    'SavedView: create, update, delete',
    'StandardStatement: create, update',
    'Substance: create, update',
    'SubstanceLimit: create, update',
    'SupportTicket: create',
    'Task: create, update',
    'TemplateLinkTask: create, update',
    'ToolboxTalk: create, update',
    // Staff book seats of their sessions for a client, whose administrators are notified. A price is agreed by a quote.
    'TrainingBooking: create',
    'UploadedDocument: update',
    'User: update',
  ])
})

test('no action that is allowed while impersonating a user commits that user to anything', () => {
  const allowed = resources.flatMap(({ type, actions = {} }) =>
    Object.entries(actions).flatMap(([name, a]) => (a.whileImpersonating ? [`${type}: ${name}`] : [])),
  )
  expect(allowed.toSorted()).toEqual([
    'CorrectiveAction: start',
    'CorrectiveAction: wait',
    'CoshhAssessment: complete',
    'CoshhAssessment: revise',
    'CoshhAssessment: useNewForm',
    'CustomFormAnswer: raiseAction',
    'Handbook: complete',
    'Handbook: revise',
    'Handbook: useNewForm',
    'IncidentReport: raiseAction',
    'ManagementHandbook: complete',
    'ManagementHandbook: revise',
    'ManagementHandbook: useNewForm',
    'MethodStatement: complete',
    'MethodStatement: revise',
    'MethodStatement: useNewForm',
    'Policy: complete',
    'Policy: revise',
    'Policy: useNewForm',
    'Quote: copy',
    'Quote: revise',
    'RamsPack: complete',
    'RamsPack: revise',
    'RamsPack: useNewForm',
    'RiskAssessment: complete',
    'RiskAssessment: revise',
    'RiskAssessment: useNewForm',
    'RiskItem: raiseAction',
    'Run: stop',
    'ToolboxTalk: complete',
    'ToolboxTalk: revise',
    'ToolboxTalk: useNewForm',
    'ToolboxTalkPresented: raiseAction',
    'UploadedDocument: restoreVersion',
  ])
})

test('the writing routes that are allowed while impersonating a user concern only drafts, files and the session', () => {
  const allowed = modules
    .flatMap((module) => module.routes ?? [])
    .flatMap(({ method, path, writesOnGet, whileImpersonating, whileReadOnly }) =>
      (method !== 'GET' || writesOnGet) && (whileImpersonating || whileReadOnly) ? [`${method} ${path}`] : [],
    )
  expect(allowed.toSorted()).toEqual([
    'DELETE /api/security/sessions/{id}',
    'GET /api/security/user/unswitch',
    'POST /api/employees/contract_mailings/preview',
    'POST /api/employees/leave_mass_updates/preview',
    'POST /api/employees/leave_requests/preview',
    'POST /api/financial/subscriptions/{id}/preview',
    'POST /api/portal/actions',
    'POST /api/portal/exports',
    'POST /api/safety/coshh_links',
    'POST /api/safety/custom_forms/{id}/copy',
    'POST /api/safety/documents/packs',
    'POST /api/safety/documents/{id}/take_improvements',
    'POST /api/safety/documents/{id}/take_newer',
    'POST /api/safety/hazards/{id}/copy',
    'POST /api/safety/setup_policy',
    'POST /api/safety/substances/{id}/copy',
    'POST /api/safety/uploaded_documents/{id}/versions',
    'POST /api/safety/uploads/{client}',
    'POST /api/security/login',
    'POST /api/security/logout',
    'POST /api/security/proof',
    'POST /api/security/proof/passkey_options',
    'POST /api/security/renew',
    'POST /api/security/user/write',
    'PUT /api/financial/quotes',
    'PUT /api/safety/coshh_links/{id}',
  ])
})

test('the batch jobs allowed while impersonating a user only read, or check the user’s rights for each record', () => {
  const allowed = modules.flatMap((module) => module.batchJobs ?? []).filter((job) => job.whileImpersonating)
  expect(allowed.map(({ kind }) => kind).toSorted()).toEqual(['documents.pack', 'list.bulk', 'list.export'])
})

test('money, terms, names, signatories and the readers of files can’t be changed while impersonating a user, even in records that can', () => {
  const closed = resources.flatMap(({ type, fields }) =>
    Object.entries(fields).flatMap(([name, f]) => (f.notWhileImpersonating ? [`${type}.${name}`] : [])),
  )
  expect(closed).toEqual(
    expect.arrayContaining([
      'User.name',
      'Customer.accountBalanceChange',
      'Customer.paymentReceivedDate',
      'Customer.coupon',
      'Customer.paymentDays',
      'Customer.longTermsAgreed',
      'CorrectiveAction.retired',
      'DocumentFolder.audience',
      'DocumentFolder.downloads',
      'UploadedDocument.folder',
      'UploadedDocument.expires',
      'UploadedDocument.remindDays',
      'Policy.signatory',
      'Policy.signedOn',
    ]),
  )
})
