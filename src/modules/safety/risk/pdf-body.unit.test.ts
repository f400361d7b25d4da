import { expect, test } from 'vitest'
import { toRiskPdfBody } from './pdf-body.ts'

test("the PDF of a copy names its source document, but a revision's PDF doesn't repeat its own number", () => {
  const begunFrom = (record: Record<string, unknown>) =>
    toRiskPdfBody({ documentNumber: 'RA-0019', ...record }).job.begunFrom
  expect(begunFrom({ parentDocumentNumber: 'RA-0019' })).toBeUndefined()
  expect(begunFrom({ parentDocumentNumber: 'RA-0007' })).toBe('RA-0007')
  expect(begunFrom({ parentDocumentNumber: 'RA-0019', copiedFrom: 'the template “Roofs”' })).toBe(
    'the template “Roofs”',
  )
})
