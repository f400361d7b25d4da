import type { DocumentKind } from '../types/kind.ts'
import { flagsOf, type State } from '../types/states.ts'
import type { Effect, TransitionName } from '../types/transitions.ts'

interface Told {
  readonly by: string
  readonly at: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What the effects of a transition leave on a document, as far as it is seen. */
const SEEN: Partial<Readonly<Record<Effect, (told: Told) => object>>> = {
  'stamp the approval': ({ by, at, input }) => ({
    authorUsername: by,
    approvedAt: at,
    decisionNote: input.note || null,
  }),
  'keep the reason': ({ input }) => ({ decisionNote: input.note || null }),
  'take back the reason': () => ({ decisionNote: null }),
  'stamp the end': ({ by, at }) => ({ endedBy: by, endedAt: at }),
  'take back the end': () => ({ endedBy: null, endedAt: null }),
  'keep the audience': ({ input }) => (Array.isArray(input.audience) ? { audience: input.audience } : {}),
}

/** What a document will be once a transition is made, by the table that the server makes it by: shown until it has answered. */
export function afterwards<R extends { readonly state: State; readonly retired: boolean }>(
  kind: Pick<DocumentKind, 'transitions'>,
  record: R,
  name: TransitionName,
  told: Told,
): R {
  const { to, retired = record.retired, effects } = kind.transitions[name]
  return Object.assign(
    { ...record, underway: true },
    flagsOf(to === 'same' ? record.state : to, retired),
    ...effects.map((effect) => SEEN[effect]?.(told)),
  ) as R
}
