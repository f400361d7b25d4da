import { toRowObjects } from '#kernel/forms/rows.ts'
import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { policy } from './policy.ts'

type Values = Readonly<Record<string, unknown>>

/** Patterns that match the subjects on which every policy should have an arrangement. */
const EXPECTED = [/accident/i, /fire/i, /first aid/i, /consult/i, /training/i, /risk assessment/i] as const
const EXPECTED_TOPICS = ['Accidents', 'Fire', 'First aid', 'Consultation', 'Training', 'Risk assessment'] as const

/**
 * Returns the summary shown before completion: the size of the policy, and expected subjects that the policy doesn't
 * cover.
 */
function checkedPolicy(record: Values): TypeCompletionCheck {
  const [functions, arrangements] = [toRowObjects(record.organisation), toRowObjects(record.arrangements)]
  const said = arrangements.map(({ title, text }) => `${toText(title)} ${toText(text)}`)
  const silent = EXPECTED_TOPICS.filter((_, i) => !said.some((words) => EXPECTED[i]?.test(words)))
  return {
    sums: [
      ...formatCountWithNoun(functions.length, 'function'),
      ...formatCountWithNoun(arrangements.length, 'arrangement'),
    ],
    looks: silent.length ? [{ title: 'Not covered', items: silent.map((text) => ({ text, at: 'arrangements' })) }] : [],
    told: {
      organisation: formatCountWithNoun(functions.length, 'function').join(''),
      arrangements: formatCountWithNoun(arrangements.length, 'arrangement').join(''),
    },
  }
}

export default {
  kind: policy,
  words: {
    approve: 'Accept',
    review:
      'Do the named people still hold these functions? Are all commitments being met? Has the work or the law changed?',
  },
  custom: {
    organisation: () => import('./organisation-field.web.tsx').then((m) => ({ default: m.PolicyOrganisationField })),
    arrangements: () => import('./arrangements-field.web.tsx').then((m) => ({ default: m.PolicyArrangementsField })),
  },
  body: () => import('./body.web.tsx'),
  buttons: () => import('./body.web.tsx').then((m) => ({ default: m.PolicyReviewButton })),
  check: checkedPolicy,
  missing: (slug: string) => `Policy ${slug} not found`,
  compare: {
    labels: {
      'organisation.person': 'Person',
      'organisation.responsibilities': 'Responsibilities',
      'arrangements.text': 'Arrangement',
    },
    rowName: (field, row) => (field === 'organisation' ? toText(row.function) : undefined),
    rows: (field, rows) =>
      field === 'arrangements'
        ? rows.map(({ title, text }) => ({ title, text }))
        : field === 'organisation'
          ? rows.map((row) => ({ function: row.function, person: row.person, responsibilities: row.responsibilities }))
          : rows,
  },
} satisfies DocumentTypeScreens
