import { PDFDocument } from 'pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderPack } from '#server/pdf/pack.ts'
import { closePools } from '#server/processes/own-pools.ts'
import { coshh } from './coshh-samples.ts'
import { scaffoldCheck, snagList } from './custom-form-samples.ts'
import { creditPaper, invoicePaper, longInvoice, proFormaPaper, statementPaper } from './invoice-samples.ts'
import { hardMethod, method } from './method-samples.ts'
import { keepForOthers } from './pages.ts'
import {
  answerPaper,
  assessmentPdf,
  coshhPaper,
  largePack,
  methodPaper,
  packCover,
  partsOfPack,
  policyPaper,
  talkPdf,
} from './papers.ts'
import { hardPolicy, policy } from './policy-samples.ts'
import { forty, furniture, hard, risk, talk } from './samples.ts'
import { breaches } from './ua/breaches.ts'
import { checkUa } from './ua/check-ua.ts'
import { operationsOf } from './ua/operations.ts'

afterAll(closePools)

describe('PDF/UA conformance of documents, checked by an independent reader', () => {
  const papers = {
    'an assessment': () => assessmentPdf(furniture, risk),
    'an assessment of forty hazards': () => assessmentPdf(furniture, forty),
    'an assessment in many alphabets': () => assessmentPdf(hard.furniture, hard.body),
    'a method statement': () => methodPaper(method.furniture, method.body),
    'a method statement in many alphabets': () => methodPaper(hard.furniture, hardMethod),
    'a COSHH assessment': () => coshhPaper(coshh.furniture, coshh.body),
    'a policy': () => policyPaper(policy.furniture, policy.body),
    'a policy in many alphabets': () => policyPaper(hard.furniture, hardPolicy),
    'a presentation': () => talkPdf(talk.furniture, talk.body),
    'a form that was filled in': () => answerPaper(scaffoldCheck.furniture, scaffoldCheck.body),
    'a form with rows': () => answerPaper(snagList.furniture, snagList.body),
    'an invoice': invoicePaper,
    'an invoice of many pages': longInvoice,
    'a pro forma': proFormaPaper,
    'a credit note': creditPaper,
    'a statement': statementPaper,
    'a pack of some sixty pages': () => renderPack(packCover, largePack, 1),
    'a pack': () => renderPack(packCover, partsOfPack, 1),
  }
  test.each(Object.entries(papers))('%s conforms to PDF/UA', async (name, make) => {
    const pdf = await make()
    keepForOthers(name, pdf)
    expect(await checkUa(pdf)).toEqual([])
  })
})

describe('detection of PDF/UA breaches', () => {
  let pack: Buffer
  beforeAll(async () => {
    pack = await renderPack(packCover, partsOfPack.slice(1, 2), 1)
  })

  test.each(Object.entries(breaches))('the PDF/UA breach is detected: %s', async (finding, breach) => {
    const document = await PDFDocument.load(pack, { updateMetadata: false })
    breach(document)
    const found = await checkUa(await document.save({ useObjectStreams: false }))
    expect(found.filter((one) => one.includes(finding))).not.toEqual([])
  })
})

test('operations of a content stream are parsed as they are written', () => {
  const operations = operationsOf('q % note\n/P <</MCID 1/A[1 (x)]>>BDC [(a\\)\\051) -5.5 <4142>] TJ T* EMC')
  expect(operations.map((o) => o.operator)).toEqual(['q', 'BDC', 'TJ', 'T*', 'EMC'])
  expect(operations[1]?.operands[1]).toEqual(
    new Map<string, unknown>([
      ['/MCID', 1],
      ['/A', [1, Buffer.from('x')]],
    ]),
  )
  expect(operations[2]?.operands[0]).toEqual([Buffer.from('a))'), -5.5, Buffer.from('AB')])
})
