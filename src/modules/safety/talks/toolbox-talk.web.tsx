import { formatCountWithNoun, toText } from '#kernel/text.ts'
import type { TypeCompletionCheck } from '#modules/documents/types/completion-check.ts'
import type { DocumentTypeScreens } from '#modules/documents/types/kind.web.ts'
import { toolboxTalk } from './toolbox-talk.ts'

type Values = Readonly<Record<string, unknown>>

/** Speaking rate outdoors, in words per minute. */
const A_MINUTE = 120
/** Speaking time in minutes, above which listeners' attention drops. */
const LONG = 15

/** Returns the completion check for a talk: number of points and speaking time. */
function checkedTalk(record: Values): TypeCompletionCheck {
  const points = (Array.isArray(record.points) ? (record.points as Values[]) : []).map((p) => toText(p.text).trim())
  const words = [toText(record.introduction).replace(/<[^<>]*>/g, ' '), ...points]
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)
  const minutes = Math.max(1, Math.round(words.length / A_MINUTE))
  return {
    sums: [
      ...formatCountWithNoun(points.filter(Boolean).length, 'point'),
      `About ${formatCountWithNoun(minutes, 'minute').join('')} to present`,
    ],
    looks:
      minutes > LONG
        ? [
            {
              title: 'The talk may be too long',
              items: [{ text: `About ${minutes} minutes to present`, at: 'points' }],
            },
          ]
        : [],
  }
}

/** Text shown on the talk's page. Attendees don't sign there, but in the record of each presentation. */
const UNSIGNED =
  'Nobody has signed this revision under their own name yet. Attendees sign the record when the talk is presented.'

export default {
  kind: toolboxTalk,
  words: { approve: 'Accept', revise: 'Replace', unsigned: UNSIGNED },
  check: checkedTalk,
  missing: (slug: string) => `Toolbox talk ${slug} not found`,
  buttons: () => import('./present-button.web.tsx'),
  beside: () => import('./presented-times.web.tsx'),
} satisfies DocumentTypeScreens
