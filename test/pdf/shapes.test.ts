import { afterAll, expect, test } from 'vitest'
import { closeAllPools } from '#server/processes/pool.ts'
import { emptyCoshh, sampleCoshh } from './coshh-samples.ts'
import { makeSampleMethodStatement } from './method-samples.ts'
import { measureFilledShare, renderPages } from './pages.ts'
import { renderAssessmentPdf, renderCoshhPdf, renderMethodPdf, renderPolicyPdf, renderTalkPdf } from './papers.ts'
import { edgeCasePolicy, emptyPolicy, makePolicy, samplePolicy } from './policy-samples.ts'
import {
  emptyRisk,
  largeRisk,
  makeGradientPicture,
  riskWithFortyHazards,
  sampleDocumentFrame,
  sampleRisk,
  sampleTalk,
} from './samples.ts'

afterAll(closeAllPools)

/** Resolution in dots per inch; low, but high enough to detect white space. */
const COARSE = 36

const hazards = (count: number) => ({ ...sampleRisk, hazards: largeRisk.hazards.slice(0, count) })
const [signature] = sampleDocumentFrame.signatures
const signed = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...signature!, name: `Visitor number ${i + 1}` }))
const alone = { ...sampleDocumentFrame, signatures: [], history: [] }
const pictures = Array.from({ length: 30 }, (_, i) => ({
  base64: makeGradientPicture(i % 3, 160, 120),
  alt: `Picture ${i + 1}`,
  caption: `What was seen on the ${i + 1}. round`,
}))
const contacts = Array.from({ length: 24 }, (_, i) => ({
  name: `${'The person who answers at any hour of day and night '.repeat(4)}${i + 1}`,
  role: 'Whoever is on duty at the station of the county, and in their absence the next one along the coast',
  phone: '01632 960 118',
}))
const method = { statements: [], tasks: [], emergencyContacts: contacts }

/** Sample documents, each with its maximum number of pages. */
const shapes: readonly (readonly [string, number, () => Promise<Buffer>])[] = [
  ['an assessment that has just been started', 2, () => renderAssessmentPdf(sampleDocumentFrame, emptyRisk)],
  [
    'an assessment with one hazard and no other content',
    2,
    () => renderAssessmentPdf(alone, { ...emptyRisk, hazards: hazards(1).hazards }),
  ],
  ['an assessment with one hazard', 4, () => renderAssessmentPdf(sampleDocumentFrame, hazards(1))],
  ['an assessment with eight hazards', 5, () => renderAssessmentPdf(sampleDocumentFrame, hazards(8))],
  ['an assessment with forty hazards', 12, () => renderAssessmentPdf(sampleDocumentFrame, riskWithFortyHazards)],
  [
    'an assessment signed by 505 people',
    40,
    () => renderAssessmentPdf({ ...sampleDocumentFrame, signatures: signed(505) }, sampleRisk),
  ],
  [
    'an assessment with 30 pictures',
    10,
    () => renderAssessmentPdf(sampleDocumentFrame, { ...sampleRisk, images: pictures }),
  ],
  [
    'an assessment with long emergency contacts',
    6,
    () => renderAssessmentPdf(sampleDocumentFrame, { ...sampleRisk, methodStatement: method }),
  ],
  [
    'a method statement that has just been started',
    2,
    () => renderMethodPdf(sampleDocumentFrame, makeSampleMethodStatement({ steps: 0 })),
  ],
  [
    'a method statement with twelve steps',
    4,
    () => renderMethodPdf(sampleDocumentFrame, makeSampleMethodStatement({ steps: 12 })),
  ],
  [
    'a method statement with twelve steps and pictures',
    5,
    () => renderMethodPdf(sampleDocumentFrame, makeSampleMethodStatement({ steps: 12, pictures: 2 })),
  ],
  [
    'a method statement with sixty steps',
    12,
    () => renderMethodPdf(sampleDocumentFrame, makeSampleMethodStatement({ steps: 60 })),
  ],
  // With the words of all statements, the conclusion and the actions.
  ['a COSHH assessment with three substances', 3, () => renderCoshhPdf(sampleCoshh.furniture, sampleCoshh.body)],
  ['a COSHH assessment that has just been started', 2, () => renderCoshhPdf(sampleDocumentFrame, emptyCoshh)],
  [
    'a policy with 8 functions and 20 arrangements',
    4,
    () => renderPolicyPdf(samplePolicy.furniture, samplePolicy.body),
  ],
  [
    'a policy with all functions and arrangements',
    6,
    () => renderPolicyPdf(samplePolicy.furniture, makePolicy(24, 32)),
  ],
  ['a policy that has just been started', 2, () => renderPolicyPdf(samplePolicy.furniture, emptyPolicy)],
  ['a policy in many alphabets', 4, () => renderPolicyPdf(samplePolicy.furniture, edgeCasePolicy)],
  ['a talk', 1, () => renderTalkPdf(sampleTalk.furniture, { ...sampleTalk.body, presented: undefined })],
  ['a talk presentation', 2, () => renderTalkPdf(sampleTalk.furniture, sampleTalk.body)],
]

test.each(shapes)('%s has at most %i pages, all but the last at least a quarter full', async (_, most, make) => {
  const pages = await renderPages(await make(), COARSE)
  expect(pages.length).toBeLessThanOrEqual(most)
  const thin = pages.slice(0, -1).flatMap(({ image }, i) => {
    const share = measureFilledShare(image)
    return share > 0.25 ? [] : [`page ${i + 1} of ${pages.length} is ${Math.round(share * 100)}% full`]
  })
  expect(thin).toEqual([])
})
