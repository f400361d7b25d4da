import { type DocumentFrame, renderControlledDocument } from '#server/pdf/furniture.ts'
import type { PackCover, PackPart } from '#server/pdf/pack.ts'
import { sampleCoshh } from './coshh-samples.ts'
import { makeSampleMethodStatement } from './method-samples.ts'
import { sampleRams } from './rams-samples.ts'
import { makeGradientPicture, riskWithFortyHazards, sampleDocumentFrame, sampleRisk, sampleTalk } from './samples.ts'

const templateOf = (path: string) => new URL(`../../src/modules/safety/${path}`, import.meta.url)
const ASSESSMENT = templateOf('risk/risk-assessment.typ')
const METHOD = templateOf('methods/method-statement.typ')
const RAMS = templateOf('rams/rams-pack.typ')
const COSHH = templateOf('coshh/coshh-assessment.typ')
const POLICY = templateOf('policies/policy.typ')
const ANSWER = templateOf('custom-forms/custom-form-answer.typ')
const TALK = templateOf('talks/toolbox-talk.typ')

export const renderAssessmentPdf = (about: DocumentFrame, body: object, lang?: string): Promise<Buffer> =>
  renderControlledDocument({ template: ASSESSMENT, furniture: about, body, ...(lang ? { lang } : {}) })

export const renderMethodPdf = (about: DocumentFrame, body: object): Promise<Buffer> =>
  renderControlledDocument({ template: METHOD, furniture: about, body })

/** Renders the pages at the front of a RAMS pack, without its documents. */
export const renderRamsPdf = (about: DocumentFrame, body: object): Promise<Buffer> =>
  renderControlledDocument({ template: RAMS, furniture: about, body })

export const renderTalkPdf = (about: DocumentFrame, body: object, lang?: string): Promise<Buffer> =>
  renderControlledDocument({ template: TALK, furniture: about, body, ...(lang ? { lang } : {}) })

export const renderCoshhPdf = (about: DocumentFrame, body: object): Promise<Buffer> =>
  renderControlledDocument({ template: COSHH, furniture: about, body })

export const renderAnswerPdf = (about: DocumentFrame, body: object): Promise<Buffer> =>
  renderControlledDocument({ template: ANSWER, furniture: about, body })

export const renderPolicyPdf = (about: DocumentFrame, body: object): Promise<Buffer> =>
  renderControlledDocument({ template: POLICY, furniture: about, body })

/** Three documents, two of which have the same type. */
export const samplePackParts: readonly PackPart[] = [
  { template: ASSESSMENT, furniture: sampleDocumentFrame, body: sampleRisk },
  { template: TALK, furniture: sampleTalk.furniture, body: sampleTalk.body },
  {
    template: ASSESSMENT,
    furniture: { ...sampleDocumentFrame, number: 'RA-0099', title: 'Scaffold' },
    body: sampleRisk,
  },
]

/** A pack of about sixty pages for a large job, with the full text of its method statements and assessments. */
export const largePackParts: readonly PackPart[] = [
  { template: RAMS, furniture: { ...sampleDocumentFrame, ...sampleRams.furniture }, body: sampleRams.body },
  ...Array.from({ length: 4 }, (_, n): PackPart[] => [
    numbered(METHOD, `MS-${n}`, makeSampleMethodStatement({ steps: 12 })),
    numbered(ASSESSMENT, `RA-${n}`, riskWithFortyHazards),
    numbered(COSHH, `CO-${n}`, sampleCoshh.body),
    numbered(TALK, `TT-${n}`, sampleTalk.body),
  ]).flat(),
]

function numbered(template: URL, number: string, body: object): PackPart {
  return { template, furniture: { ...sampleDocumentFrame, number }, body }
}

export const samplePackCover: PackCover = {
  title: 'Everything for Harbour View',
  client: 'Brightside Roofing Ltd',
  logo: { base64: makeGradientPicture(0, 200, 80), alt: 'Brightside Roofing Ltd' },
  author: 'Ada',
  on: '2026-11-22T09:00:00Z',
  files: [
    { name: 'yard.png', checksum: 'abcdef0123456789', printed: true },
    { name: 'data.csv', checksum: '0123456789abcdef', printed: false },
  ],
  images: [{ base64: makeGradientPicture(3), alt: 'The yard', caption: 'The yard' }],
}
