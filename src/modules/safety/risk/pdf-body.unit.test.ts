import { expect, test } from 'vitest'
import { toRiskAssessmentPdfBody } from './pdf-body.ts'

test("the PDF of a copied assessment names its source document, and the PDF of a revision doesn't", () => {
  const begunFrom = (record: Record<string, unknown>) =>
    toRiskAssessmentPdfBody({ documentNumber: 'RA-0019', ...record }).job.begunFrom
  expect(begunFrom({ parentDocumentNumber: 'RA-0019' })).toBeUndefined()
  expect(begunFrom({ parentDocumentNumber: 'RA-0007' })).toBe('RA-0007')
  expect(begunFrom({ parentDocumentNumber: 'RA-0019', copiedFrom: 'the template “Roofs”' })).toBe(
    'the template “Roofs”',
  )
})
