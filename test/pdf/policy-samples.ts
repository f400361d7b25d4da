import { readFileSync } from 'node:fs'
import { type PolicyPdfBody, toPolicyPdfBody } from '#modules/safety/policies/policy.ts'
import { edgeCaseRisk, sampleDocumentFrame } from './samples.ts'

interface Library {
  readonly intent: readonly string[]
  readonly arrangements: readonly { readonly title: string; readonly description: string }[]
  readonly functions: readonly { readonly title: string; readonly responsibilities: readonly string[] }[]
}

const library: Library = JSON.parse(
  readFileSync(new URL('../../db/reference/policy-library.json', import.meta.url), 'utf8'),
)

const PEOPLE = ['Gareth Brick', 'Priya Shah', 'Rhys Ellis', 'Bethan Davies and Nadia Rahman'] as const

/** Makes a policy with this many functions, and with this many arrangements from the library. */
export const makePolicy = (functions: number, arrangements: number): PolicyPdfBody =>
  toPolicyPdfBody({
    intent: library.intent.map((line) => `<p>${line}</p>`).join(''),
    signatory: 'Gareth Brick',
    jobTitle: 'Managing Director',
    signedOn: '2026-11-02',
    organisation: library.functions.slice(0, functions).map((f, i) => ({
      function: f.title,
      person: PEOPLE[i % 4],
      responsibilities: f.responsibilities.join('\n'),
    })),
    arrangements: library.arrangements
      .slice(0, arrangements)
      .map((a) => ({ title: a.title, text: `<p>${a.description}</p>` })),
  })

const about = {
  ...sampleDocumentFrame,
  kindName: 'Policy',
  number: 'PO-0001',
  title: 'Health and safety policy',
  associated: [],
}

export const samplePolicy = { furniture: about, body: makePolicy(8, 20) }

/** A policy with unusual input, such as very long words. */
export const edgeCasePolicy = toPolicyPdfBody({
  intent: `<p>${edgeCaseRisk.furniture.title}</p><ul><li>${'Unbreakable'.repeat(30)}</li></ul>`,
  signatory: edgeCaseRisk.furniture.title,
  organisation: [
    {},
    { function: 'Site Manager', person: 'x'.repeat(200), responsibilities: edgeCaseRisk.furniture.title },
    {
      function: edgeCaseRisk.furniture.title,
      person: 'مدير الموقع',
      responsibilities: Array(40).fill('Reports').join('\n'),
    },
  ],
  arrangements: [
    { title: 'Nothing yet', text: '' },
    { title: edgeCaseRisk.furniture.title, text: '<p>שלום</p>' },
  ],
})

export const emptyPolicy = toPolicyPdfBody({})
