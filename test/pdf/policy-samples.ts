import { readFileSync } from 'node:fs'
import { type PolicyPdf, policyPdf } from '#modules/safety/policies/policy.ts'
import { furniture, hard } from './samples.ts'

interface Library {
  readonly intent: readonly string[]
  readonly arrangements: readonly { readonly title: string; readonly description: string }[]
  readonly functions: readonly { readonly title: string; readonly responsibilities: readonly string[] }[]
}

const library: Library = JSON.parse(
  readFileSync(new URL('../../db/reference/policy-library.json', import.meta.url), 'utf8'),
)

const PEOPLE = ['Gareth Brick', 'Priya Shah', 'Rhys Ellis', 'Bethan Davies and Nadia Rahman'] as const

/** A policy with this many functions and arrangements from the library. */
export const policyOf = (functions: number, arrangements: number): PolicyPdf =>
  policyPdf({
    intent: library.intent.map((line) => `<p>${line}</p>`).join(''),
    signatory: 'Gareth Brick',
    jobTitle: 'Managing Director',
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
  ...furniture,
  kindName: 'Policy',
  number: 'PO-0001',
  title: 'Health and safety policy',
  associated: [],
}

export const policy = { furniture: about, body: policyOf(8, 20) }

/** Unusual input, such as very long words. */
export const hardPolicy = policyPdf({
  intent: `<p>${hard.furniture.title}</p><ul><li>${'Unbreakable'.repeat(30)}</li></ul>`,
  signatory: hard.furniture.title,
  organisation: [
    {},
    { function: 'Site Manager', person: 'x'.repeat(200), responsibilities: hard.furniture.title },
    { function: hard.furniture.title, person: 'مدير الموقع', responsibilities: Array(40).fill('Reports').join('\n') },
  ],
  arrangements: [
    { title: 'Nothing yet', text: '' },
    { title: hard.furniture.title, text: '<p>שלום</p>' },
  ],
})

export const emptyPolicy = policyPdf({})
