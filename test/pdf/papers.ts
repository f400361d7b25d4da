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

export const assessmentPdf = (about: Furniture, body: object, lang?: string): Promise<Buffer> =>
  renderDocument({ template: ASSESSMENT, furniture: about, body, ...(lang ? { lang } : {}) })

export const methodPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: METHOD, furniture: about, body })

/** Renders the opening pages of a RAMS pack, before its documents. */
export const ramsPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: RAMS, furniture: about, body })

export const talkPdf = (about: Furniture, body: object, lang?: string): Promise<Buffer> =>
  renderDocument({ template: TALK, furniture: about, body, ...(lang ? { lang } : {}) })

export const coshhPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: COSHH, furniture: about, body })

export const answerPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: ANSWER, furniture: about, body })

export const policyPaper = (about: Furniture, body: object): Promise<Buffer> =>
  renderDocument({ template: POLICY, furniture: about, body })

/** Three documents, two of them of one type. */
export const partsOfPack: readonly PackPart[] = [
  { template: ASSESSMENT, furniture, body: risk },
  { template: TALK, furniture: talk.furniture, body: talk.body },
  { template: ASSESSMENT, furniture: { ...furniture, number: 'RA-0099', title: 'Scaffold' }, body: risk },
]

/** About sixty pages for a large job: the full method statements and assessments that a pack refers to. */
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
