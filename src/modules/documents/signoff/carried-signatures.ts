import type { DocumentKind } from '../types/kind.ts'

/** Reason why a signature of an earlier revision is carried forward. */
export type CarryForwardReason = 'minor' | 'untouched' | 'papers'

/** A person's own signature of an earlier revision that is carried forward to a later revision. */
export interface CarriedForwardSignature {
  readonly id: number
  readonly user: number
  readonly name: string
  readonly method: 'finger' | 'typed'
  readonly statement: string
  /** ISO 8601 instant. */
  readonly signedAt: string
  readonly revision: number
  readonly carriedTo: number
  readonly why: CarryForwardReason
}

/** Labels of the reasons, on screen and in print. */
export const CARRY_FORWARD_REASON_LABELS: Readonly<Record<CarryForwardReason, string>> = {
  minor: 'minor change',
  untouched: 'nothing that concerns them has changed',
  papers: 'they have signed every changed document that concerns them',
}

/** Texts of the reasons, addressed to the signatory. */
export const CARRY_FORWARD_REASON_TEXTS: Readonly<Record<CarryForwardReason, string>> = {
  minor: 'There has only been a minor change since.',
  untouched: 'Nothing that concerns you has changed since.',
  papers: 'You have signed every document that concerns you and has changed since.',
}

/** Returns the history text about signatures carried forward when a revision came into force. */
export const carriedForwardText = ({ byPaper }: Pick<DocumentKind, 'byPaper'>, many: number): string =>
  `${many} ${many === 1 ? 'signature' : 'signatures'} carried forward: ${byPaper ? 'the signatories have already signed all changes that concern them' : 'there has only been a minor change'}`

/** Returns true if signatures of earlier revisions may be carried forward to a revision. */
export const canCarryForward = (
  { byPaper }: Pick<DocumentKind, 'byPaper'>,
  { change }: { readonly change: string | null },
): boolean => byPaper === true || change === 'minor'
