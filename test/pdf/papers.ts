import { type Furniture, renderDocument } from '#server/pdf/furniture.ts'
import type { PackCover, PackPart } from '#server/pdf/pack.ts'
import { coshh } from './coshh-samples.ts'
import { methodOf } from './method-samples.ts'
import { rams } from './rams-samples.ts'
import { forty, furniture, picture, risk, talk } from './samples.ts'

const templateOf = (path: string) => new URL(`../../src/modules/safety/${path}`, import.meta.url)
const ASSESSMENT = templateOf('risk/risk-assessment.typ')
const METHOD = templateOf('methods/method-statement.typ')
const RAMS = templateOf('rams/rams-pack.typ')
const COSHH = templateOf('coshh/coshh-assessment.typ')
const POLICY = templateOf('policies/policy.typ')
const ANSWER = templateOf('custom-forms/custom-form-answer.typ')
const TALK = templateOf('talks/toolbox-talk.typ')

/** A risk assessment as a PDF. */
export const assessmentPdf = (about: Furniture, body: object, lang?: string): Promise<Buffer> =>
  renderDocument({ template: ASSESSMENT, furniture: about, body, ...(lang ? { lang } : {}) })

/** A method statement as a PDF. */
export const methodPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: METHOD, furniture: about, body })

/** What a RAMS pack says before its papers, as a PDF. */
export const ramsPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: RAMS, furniture: about, body })

/** A toolbox talk, or a presentation of one, as a PDF. */
export const talkPdf = (about: Furniture, body: object, lang?: string): Promise<Buffer> =>
  renderDocument({ template: TALK, furniture: about, body, ...(lang ? { lang } : {}) })

/** A COSHH assessment as a PDF. */
export const coshhPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: COSHH, furniture: about, body })

/** A form that was filled in, as a PDF. */
export const answerPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: ANSWER, furniture: about, body })

/** A policy as a PDF. */
export const policyPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: POLICY, furniture: about, body })

/** Three documents, two of them of one kind. */
export const partsOfPack: readonly PackPart[] = [
  { template: ASSESSMENT, furniture, body: risk },
  { template: TALK, furniture: talk.furniture, body: talk.body },
  { template: ASSESSMENT, furniture: { ...furniture, number: 'RA-0099', title: 'Scaffold' }, body: risk },
]

/** The papers of a large job, some sixty pages of them: the whole method statements and assessments that a pack refers to. */
export const largePack: readonly PackPart[] = [
  { template: RAMS, furniture: { ...furniture, ...rams.furniture }, body: rams.body },
  ...Array.from({ length: 4 }, (_, n): PackPart[] => [
    numbered(METHOD, `MS-${n}`, methodOf({ steps: 12 })),
    numbered(ASSESSMENT, `RA-${n}`, forty),
    numbered(COSHH, `CO-${n}`, coshh.body),
    numbered(TALK, `TT-${n}`, talk.body),
  ]).flat(),
]

function numbered(template: URL, number: string, body: object): PackPart {
  return { template, furniture: { ...furniture, number }, body }
}

/** What stands on the cover of a pack. */
export const packCover: PackCover = {
  title: 'Everything for Harbour View',
  client: 'Brightside Roofing Ltd',
  logo: { base64: picture(0, 200, 80), alt: 'Brightside Roofing Ltd' },
  author: 'Ada',
  on: '2026-11-22T09:00:00Z',
  files: [
    { name: 'yard.png', checksum: 'abcdef0123456789', printed: true },
    { name: 'data.csv', checksum: '0123456789abcdef', printed: false },
  ],
  images: [{ base64: picture(3), alt: 'The yard', caption: 'The yard' }],
}
