import { documentKind } from '#modules/documents/types/kind.ts'
import { policyForm } from './form.ts'
import { policyPdf } from './pdf-body.ts'
import { policyInfo } from './policy-info.ts'

/** What a company means to do about safety, who does what, and how: one is in force, whatever its number. */
export const policy = documentKind({
  ...policyInfo,
  type: 'Policy',
  path: 'policies',
  prefix: 'PO',
  title: { field: 'title', label: 'Title', required: 'Field required, please enter text' },
  schema: policyForm,
  current: 'per client',
  reviewMonths: 12,
  pdf: { template: 'src/modules/safety/policies/policy.typ', body: policyPdf },
  blank: () => ({ organisation: [], arrangements: [], uploadedDocuments: [] }),
})
