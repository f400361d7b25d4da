import { countOf, textOf } from '#kernel/text.ts'
import type { Checked } from '#modules/documents/types/checked.ts'
import type { DocumentKindWeb } from '#modules/documents/types/kind.web.ts'
import { toolboxTalk } from './toolbox-talk.ts'

type Values = Readonly<Record<string, unknown>>

/** Words that are said in a minute to people who stand outside. */
const A_MINUTE = 120
/** Minutes after which people no longer listen. */
const LONG = 15

/** What whoever completes a talk looks at once more: how much there is to say, and how long that takes. */
function checkedTalk(record: Values): Checked {
  const points = (Array.isArray(record.points) ? (record.points as Values[]) : []).map((p) => textOf(p.text).trim())
  const words = [textOf(record.introduction).replace(/<[^<>]*>/g, ' '), ...points]
    .join(' ')
    .split(/\s+/)
    .filter(Boolean)
  const minutes = Math.max(1, Math.round(words.length / A_MINUTE))
  return {
    sums: [...countOf(points.filter(Boolean).length, 'point'), `About ${countOf(minutes, 'minute').join('')} to say`],
    looks:
      minutes > LONG
        ? [{ title: 'Long for a talk on site', items: [{ text: `About ${minutes} minutes to say`, at: 'points' }] }]
        : [],
  }
}

/** Who hears a talk signs on the list of that occasion. */
const UNSIGNED =
  'Nobody has signed this revision under their own name yet. Who hears it signs when it is presented, on the list of that day.'

/** Toolbox talks on the screen. */
export default {
  kind: toolboxTalk,
  words: { approve: 'Accept', revise: 'Replace', unsigned: UNSIGNED },
  check: checkedTalk,
  missing: (slug: string) => `Toolbox Talk ${slug} - Not found`,
  buttons: () => import('./present-button.web.tsx'),
  beside: () => import('./presented-times.web.tsx'),
} satisfies DocumentKindWeb
