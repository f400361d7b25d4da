import type { DocumentKind } from '../types/kind.ts'
import type { TransitionEffect, TransitionName } from '../types/transitions.ts'
import { type DocumentState, stateFlags } from '../types/transitions.ts'

interface RecordedTransition {
  readonly by: string
  readonly at: string
  readonly input: Readonly<Record<string, unknown>>
}

/** Visible effects of a transition on a document. */
const SEEN: Partial<Readonly<Record<TransitionEffect, (told: RecordedTransition) => object>>> = {
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

/**
 * Returns the document as it will be after a transition, according to the server's transition table. Shown until the
 * server responds.
 */
export function predictTransition<R extends { readonly state: DocumentState; readonly retired: boolean }>(
  kind: Pick<DocumentKind, 'transitions'>,
  record: R,
  name: TransitionName,
  told: RecordedTransition,
): R {
  const { to, retired = record.retired, effects } = kind.transitions[name]
  return Object.assign(
    { ...record, underway: true },
    stateFlags(to === 'same' ? record.state : to, retired),
    ...effects.map((effect) => SEEN[effect]?.(told)),
  ) as R
}
