import { PDFDocument } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderPackDocuments } from '#server/pdf/pack.ts'
import { closeAllPools } from '#server/processes/pool.ts'
import { renderSampleContract } from './contract-samples.ts'
import { sampleCoshh } from './coshh-samples.ts'
import { scaffoldCheck, snagList } from './custom-form-samples.ts'
import { renderAccidentRecord, renderF2508Sheet, renderIncidentSummary } from './incident-samples.ts'
import {
  renderCreditNotePdf,
  renderInvoicePdf,
  renderLongInvoicePdf,
  renderProFormaPdf,
  renderStatementPdf,
} from './invoice-samples.ts'
import { renderLeaveRecord, renderLeaveReport } from './leave-samples.ts'
import { renderSampleLetters } from './login-letter-samples.ts'
import { edgeCaseMethodStatement, sampleMethodStatement } from './method-samples.ts'
import { savePdfForExternalCheckers } from './pages.ts'
import {
  largePackParts,
  renderAnswerPdf,
  renderAssessmentPdf,
  renderCoshhPdf,
  renderMethodPdf,
  renderPolicyPdf,
  renderTalkPdf,
  samplePackCover,
  samplePackParts,
} from './papers.ts'
import { edgeCasePolicy, samplePolicy } from './policy-samples.ts'
import { edgeCaseRisk, riskWithFortyHazards, sampleDocumentFrame, sampleRisk, sampleTalk } from './samples.ts'
import { PDF_UA_BREACHES } from './ua/breaches.ts'
import { checkPdfUa } from './ua/check-ua.ts'
import { parseContentOperations } from './ua/operations.ts'

afterAll(closeAllPools)

describe('PDF/UA conformance of documents, checked by an independent PDF reader', () => {
  const papers = {
    'an assessment': () => renderAssessmentPdf(sampleDocumentFrame, sampleRisk),
    'an assessment of forty hazards': () => renderAssessmentPdf(sampleDocumentFrame, riskWithFortyHazards),
    'an assessment in many alphabets': () => renderAssessmentPdf(edgeCaseRisk.furniture, edgeCaseRisk.body),
    'a method statement': () => renderMethodPdf(sampleMethodStatement.furniture, sampleMethodStatement.body),
    'a method statement in many alphabets': () => renderMethodPdf(edgeCaseRisk.furniture, edgeCaseMethodStatement),
    'a COSHH assessment': () => renderCoshhPdf(sampleCoshh.furniture, sampleCoshh.body),
    'a policy': () => renderPolicyPdf(samplePolicy.furniture, samplePolicy.body),
    'a policy in many alphabets': () => renderPolicyPdf(edgeCaseRisk.furniture, edgeCasePolicy),
    'a presentation': () => renderTalkPdf(sampleTalk.furniture, sampleTalk.body),
    'a form that was filled in': () => renderAnswerPdf(scaffoldCheck.furniture, scaffoldCheck.body),
    'a form with rows': () => renderAnswerPdf(snagList.furniture, snagList.body),
    'a copy sheet for form F2508': renderF2508Sheet,
    'an accident record': renderAccidentRecord,
    'an anonymous summary of an incident': () => renderIncidentSummary(),
    'a contract with its audit page': renderSampleContract,
    'letters with login details': renderSampleLetters,
    'a record of leave': renderLeaveRecord,
    'a leave report': renderLeaveReport,
    'an invoice': renderInvoicePdf,
    'an invoice of many pages': renderLongInvoicePdf,
    'a pro forma': renderProFormaPdf,
    'a credit note': renderCreditNotePdf,
    'a statement': renderStatementPdf,
    'a pack of some sixty pages': () => renderPackDocuments(samplePackCover, largePackParts, 1),
    'a pack': () => renderPackDocuments(samplePackCover, samplePackParts, 1),
  }
  test.each(Object.entries(papers))('%s conforms to PDF/UA', async (name, make) => {
    const pdf = await make()
    savePdfForExternalCheckers(name, pdf)
    expect(await checkPdfUa(pdf)).toEqual([])
  })
})

describe('detection of PDF/UA breaches', () => {
  let pack: Buffer
  beforeAll(async () => {
    pack = await renderPackDocuments(samplePackCover, samplePackParts.slice(1, 2), 1)
  })

  test.each(Object.entries(PDF_UA_BREACHES))('a PDF/UA breach is detected: %s', async (finding, breach) => {
    const document = await PDFDocument.load(pack, { updateMetadata: false })
    breach(document)
    const found = await checkPdfUa(await document.save({ useObjectStreams: false }))
    expect(found.filter((one) => one.includes(finding))).not.toEqual([])
  })
})

test('content stream operators and operands are parsed in order', () => {
  const operations = parseContentOperations('q % note\n/P <</MCID 1/A[1 (x)]>>BDC [(a\\)\\051) -5.5 <4142>] TJ T* EMC')
  expect(operations.map((o) => o.operator)).toEqual(['q', 'BDC', 'TJ', 'T*', 'EMC'])
  expect(operations[1]?.operands[1]).toEqual(
    new Map<string, unknown>([
      ['/MCID', 1],
      ['/A', [1, Buffer.from('x')]],
    ]),
  )
  expect(operations[2]?.operands[0]).toEqual([Buffer.from('a))'), -5.5, Buffer.from('AB')])
})
