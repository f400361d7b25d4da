import { afterAll, describe, expect, test } from 'vitest'
import { closeAllPools } from '#server/processes/pool.ts'
import { renderSampleContract } from './contract-samples.ts'
import { sampleCoshh } from './coshh-samples.ts'
import { scaffoldCheck, snagList } from './custom-form-samples.ts'
import { renderAccidentRecord, renderF2508Sheet, renderIncidentSummary } from './incident-samples.ts'
import { renderLeaveRecord, renderLeaveReport } from './leave-samples.ts'
import { renderSampleLetters } from './login-letter-samples.ts'
import { edgeCaseMethodStatement, sampleMethodStatement } from './method-samples.ts'
import { compareWithApproved, renderPages } from './pages.ts'
import {
  renderAnswerPdf,
  renderAssessmentPdf,
  renderCoshhPdf,
  renderMethodPdf,
  renderPolicyPdf,
  renderRamsPdf,
  renderTalkPdf,
} from './papers.ts'
import { samplePolicy } from './policy-samples.ts'
import { sampleRams } from './rams-samples.ts'
import {
  blankRisk,
  edgeCaseRisk,
  emptyRisk,
  largeRisk,
  offeredTemplate,
  riskWithCustomBands,
  sampleDocumentFrame,
  sampleRisk,
  sampleTalk,
  templateRisk,
} from './samples.ts'
import { extractPageTexts, extractText } from './words.ts'

afterAll(closeAllPools)

describe('appearance of document PDFs', () => {
  const documents = {
    'risk-assessment': () => renderAssessmentPdf(sampleDocumentFrame, sampleRisk),
    'risk-assessment-template': () => renderAssessmentPdf(offeredTemplate, templateRisk),
    'risk-assessment-empty': () => renderAssessmentPdf({ ...sampleDocumentFrame, state: 'replaced' }, emptyRisk),
    'risk-assessment-bands': () => renderAssessmentPdf(sampleDocumentFrame, riskWithCustomBands),
    'risk-assessment-hard': () => renderAssessmentPdf(edgeCaseRisk.furniture, edgeCaseRisk.body),
    'method-statement': () => renderMethodPdf(sampleMethodStatement.furniture, sampleMethodStatement.body),
    'method-statement-hard': () => renderMethodPdf(edgeCaseRisk.furniture, edgeCaseMethodStatement),
    'rams-pack': () => renderRamsPdf({ ...sampleDocumentFrame, ...sampleRams.furniture }, sampleRams.body),
    'coshh-assessment': () => renderCoshhPdf(sampleCoshh.furniture, sampleCoshh.body),
    policy: () => renderPolicyPdf(samplePolicy.furniture, samplePolicy.body),
    contract: renderSampleContract,
    'custom-form': () => renderAnswerPdf(scaffoldCheck.furniture, scaffoldCheck.body),
    'custom-form-rows': () => renderAnswerPdf(snagList.furniture, snagList.body),
    'f2508-sheet': renderF2508Sheet,
    'accident-record': renderAccidentRecord,
    'incident-summary': () => renderIncidentSummary(),
    'login-letter': renderSampleLetters,
    'leave-record': renderLeaveRecord,
    'leave-report': renderLeaveReport,
    'toolbox-talk': () => renderTalkPdf(sampleTalk.furniture, sampleTalk.body),
  }
  test.each(Object.entries(documents))('%s matches the approved pages', async (name, make) => {
    expect(compareWithApproved(name, await renderPages(await make()))).toEqual([])
  })
})

describe('content of document PDFs', () => {
  test('a PDF has a title, a language, tags and the PDF/UA marker', async () => {
    const file = (await renderAssessmentPdf(sampleDocumentFrame, sampleRisk)).toString('latin1')
    expect(file).toContain('<pdfuaid:part>1</pdfuaid:part>')
    expect(file).toContain('RA-0042 Replacing roof sheets at Harbour View primary school')
    expect(file).toMatch(/\/MarkInfo\s*<<\s*\/Marked true/)
    expect(file).toMatch(/\/DisplayDocTitle true/)
    expect(file).toMatch(/\/Lang \(en-GB\)/)
    expect(file).toMatch(/\/StructTreeRoot \d+ 0 R/)
  })

  test('a PDF tags headings, tables, lists and pictures, with a description of each picture', async () => {
    const file = (await renderAssessmentPdf(sampleDocumentFrame, sampleRisk)).toString('latin1')
    const count = (pattern: RegExp) => file.match(pattern)?.length ?? 0
    const tags = (name: string) => count(new RegExp(`/S /${name}\\b`, 'g'))
    expect(tags('Title')).toBe(1)
    expect(tags('H1')).toBeGreaterThan(5)
    expect(tags('Table')).toBe(5)
    expect(tags('THead')).toBe(5)
    expect(tags('LI')).toBe(4)
    expect(tags('Figure')).toBe(
      sampleRisk.ppe.length +
        sampleRisk.images.length +
        sampleDocumentFrame.signatures.filter((s) => s.strokes).length +
        1,
    )
    expect(count(/\/Alt [(<]/g)).toBe(tags('Figure'))
    expect(file).toContain('/Alt (Signature of Owen Pritchard)')
    // The logo has a description on the first page, and is marked as an artifact in the headers of the other pages.
    expect(file).toContain('/Alt (Brick & Beam Construction Ltd)')
  })

  test('two PDFs of the same data are identical byte for byte', async () => {
    expect(await renderAssessmentPdf(sampleDocumentFrame, sampleRisk)).toEqual(
      await renderAssessmentPdf(sampleDocumentFrame, sampleRisk),
    )
  })

  test('a PDF contains typed text unchanged, including markup characters', async () => {
    // PDFium reports more line breaks than the document contains.
    const close = (s: string) => s.replace(/\s/g, '')
    const text = close(await extractText(await renderAssessmentPdf(edgeCaseRisk.furniture, edgeCaseRisk.body)))
    expect(text).toContain(close('#sys.inputs *bold* $math$ <script> Removal'))
    expect(text).toContain(close('#let x = 1; *not bold* $x^2$ @ref <label> \\ `code`'))
    expect(text).toContain(close('#panic("brand") & Partners'))
    expect(text).toContain(close('#strong[Boots]'))
    // PDFium reverses the letters of a ligature, so none of these words contains one.
    for (const word of ['שער', 'צפוני', 'الميناء', 'ارتداء', 'العمال', 'קסדה', '👷', '🔥']) expect(text).toContain(word)
  })

  test('a PDF of three hundred hazards has all of them in order, and a page number on each page', async () => {
    const pages = await extractPageTexts(await renderAssessmentPdf(sampleDocumentFrame, largeRisk))
    const text = pages.join(' ')
    const found = [...text.matchAll(/, bay (\d+)/g)].map((m) => Number(m[1]))
    expect(found).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
    for (const [i, p] of pages.entries()) expect(p).toContain(`Page ${i + 1} of ${pages.length}`)
  })

  test('a PDF of a draft shows a warning on every page and also conforms to PDF/UA', async () => {
    const file = await renderAssessmentPdf({ ...sampleDocumentFrame, state: 'draft' }, largeRisk)
    expect(file.toString('latin1')).toContain('pdfuaid')
    for (const p of await extractPageTexts(file)) expect(p).toContain('DRAFT – not for use')
  })

  test.each([
    ['complete', 'Complete, awaiting approval'],
    ['rejected', 'REJECTED'],
    ['retired', 'DELETED'],
    ['withdrawn', 'WITHDRAWN'],
  ] as const)("the PDF of a document that is %s shows the document's status on every page", async (state, words) => {
    for (const p of await extractPageTexts(await renderTalkPdf({ ...sampleDocumentFrame, state }, sampleTalk.body)))
      expect(p).toContain(words)
  })

  test.each([
    ['investigating', false, 'Under investigation, not closed'],
    ['closed', true, 'Deleted'],
  ] as const)(
    'the PDF of an incident that is %s (deleted: %s) shows “%s” on every page',
    async (state, retired, words) => {
      for (const p of await extractPageTexts(await renderIncidentSummary({ state, retired })))
        expect(p).toContain(words)
    },
  )

  test('an accident record contains everything that people entered, while a summary of the same incident names nobody', async () => {
    const record = await extractText(await renderAccidentRecord())
    const summary = await extractText(await renderIncidentSummary())
    const personal = [
      'Dafydd',
      'Owen',
      'Chapel Row',
      '12/03/1985',
      'netting',
      'Broken left forearm',
      'Fracture',
      'F2508-118842',
    ]
    for (const words of personal) {
      expect(record).toContain(words)
      expect(summary).not.toContain(words)
    }
    expect(record).toContain('The height had been estimated.')
    expect(summary).toContain('Fell from a height')
  })

  test('the PDF of a provider’s template is marked as a template, and shows no approval, sign-off or seal', async () => {
    const text = await extractText(await renderAssessmentPdf(offeredTemplate, templateRisk))
    expect(text).toContain(offeredTemplate.template)
    for (const words of ['Current', 'Approved', 'Seal', 'Sign-off', 'Document record'])
      expect(text).not.toContain(words)
  })

  test('a control that nobody has confirmed as in place has an empty box under “In place?”', async () => {
    const text = await extractText(await renderAssessmentPdf(offeredTemplate, templateRisk))
    expect(text).toContain('In place?')
    expect(text).not.toMatch(/Not stated|In place(?!\?)|Planned/)
  })

  test('a PDF states its language', async () => {
    const file = await renderTalkPdf(sampleTalk.furniture, sampleTalk.body, 'cy')
    expect(file.toString('latin1')).toMatch(/\/Lang \(cy\)/)
  })

  test('a PDF of an almost empty document contains the few values that it has', async () => {
    const about = {
      ...sampleDocumentFrame,
      title: '-',
      author: '',
      signatures: [{ name: '', at: '', method: 'typed' as const }],
    }
    expect(await extractText(await renderAssessmentPdf(about, blankRisk))).toContain('Not yet rated')
    expect(await extractText(await renderTalkPdf(about, { points: [] }))).toContain('no points yet')
  })

  test('a PDF shows times in London time', async () => {
    const [, attendance] = await extractPageTexts(await renderTalkPdf(sampleTalk.furniture, sampleTalk.body))
    expect(attendance).toContain('28 July 2026, 07:46')
  })
})
