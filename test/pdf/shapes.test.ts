import { afterAll, expect, test } from 'vitest'
import { closePools } from '#server/processes/own-pools.ts'
import { coshh, emptyCoshh } from './coshh-samples.ts'
import { methodOf } from './method-samples.ts'
import { filledShare, pagesOf } from './pages.ts'
import { assessmentPdf, coshhPaper, methodPaper, policyPaper, talkPdf } from './papers.ts'
import { emptyPolicy, hardPolicy, policy, policyOf } from './policy-samples.ts'
import { empty, forty, furniture, large, picture, risk, talk } from './samples.ts'

afterAll(closePools)

/** Low resolution in dots per inch, enough to detect white space. */
const COARSE = 36

const hazards = (count: number) => ({ ...risk, hazards: large.hazards.slice(0, count) })
const [signature] = furniture.signatures
const signed = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...signature!, name: `Visitor number ${i + 1}` }))
const alone = { ...furniture, signatures: [], history: [] }
const pictures = Array.from({ length: 30 }, (_, i) => ({
  base64: picture(i % 3, 160, 120),
  alt: `Picture ${i + 1}`,
  caption: `What was seen on the ${i + 1}. round`,
}))
const contacts = Array.from({ length: 24 }, (_, i) => ({
  name: `${'The person who answers at any hour of day and night '.repeat(4)}${i + 1}`,
  role: 'Whoever is on duty at the station of the county, and in their absence the next one along the coast',
  phone: '01632 960 118',
}))
const method = { statements: [], tasks: [], emergencyContacts: contacts }

/** Sample documents, and the maximum number of pages of each. */
const shapes: readonly (readonly [string, number, () => Promise<Buffer>])[] = [
  ['an assessment that is hardly begun', 2, () => assessmentPdf(furniture, empty)],
  [
    'an assessment of one hazard and nothing else',
    2,
    () => assessmentPdf(alone, { ...empty, hazards: hazards(1).hazards }),
  ],
  ['an assessment of one hazard', 4, () => assessmentPdf(furniture, hazards(1))],
  ['an assessment of eight hazards', 5, () => assessmentPdf(furniture, hazards(8))],
  ['an assessment of forty hazards', 12, () => assessmentPdf(furniture, forty)],
  [
    'an assessment that 505 people have signed',
    40,
    () => assessmentPdf({ ...furniture, signatures: signed(505) }, risk),
  ],
  ['an assessment with 30 pictures', 10, () => assessmentPdf(furniture, { ...risk, images: pictures })],
  ['an assessment with long contacts', 6, () => assessmentPdf(furniture, { ...risk, methodStatement: method })],
  ['a method statement that is hardly begun', 2, () => methodPaper(furniture, methodOf({ steps: 0 }))],
  ['a method statement of twelve steps', 4, () => methodPaper(furniture, methodOf({ steps: 12 }))],
  [
    'a method statement of twelve steps with pictures',
    5,
    () => methodPaper(furniture, methodOf({ steps: 12, pictures: 2 })),
  ],
  ['a method statement of sixty steps', 12, () => methodPaper(furniture, methodOf({ steps: 60 }))],
  ['a COSHH assessment of three substances', 2, () => coshhPaper(coshh.furniture, coshh.body)],
  ['a COSHH assessment that is hardly begun', 2, () => coshhPaper(furniture, emptyCoshh)],
  ['a policy of 8 functions and 20 arrangements', 4, () => policyPaper(policy.furniture, policy.body)],
  ['a policy of all functions and arrangements', 6, () => policyPaper(policy.furniture, policyOf(24, 32))],
  ['a policy that is hardly begun', 2, () => policyPaper(policy.furniture, emptyPolicy)],
  ['a policy in many alphabets', 4, () => policyPaper(policy.furniture, hardPolicy)],
  ['a talk', 1, () => talkPdf(talk.furniture, { ...talk.body, presented: undefined })],
  ['a presentation', 2, () => talkPdf(talk.furniture, talk.body)],
]

test.each(shapes)('%s has at most %i pages, all but the last at least a quarter full', async (_, most, make) => {
  const pages = await pagesOf(await make(), COARSE)
  expect(pages.length).toBeLessThanOrEqual(most)
  const thin = pages.slice(0, -1).flatMap(({ image }, i) => {
    const share = filledShare(image)
    return share > 0.25 ? [] : [`page ${i + 1} of ${pages.length} is ${Math.round(share * 100)} % full`]
  })
  expect(thin).toEqual([])
})
