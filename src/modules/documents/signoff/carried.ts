import type { DocumentKind } from '../types/kind.ts'

/** Why somebody's signature of an earlier revision holds for one that they have not signed. */
export type WhyCarried = 'minor' | 'untouched' | 'papers'

/** Somebody's own signature under an earlier revision that holds for a later one. */
export interface Carried {
  readonly id: number
  /** The account whose it is. */
  readonly user: number
  readonly name: string
  readonly method: 'finger' | 'typed'
  readonly statement: string
  /** ISO 8601 instant. */
  readonly signedAt: string
  /** The revision that they signed. */
  readonly revision: number
  /** The revision that it holds for. */
  readonly carriedTo: number
  readonly why: WhyCarried
}

/** The same, on screen and on paper. */
export const WHY_CARRIED: Readonly<Record<WhyCarried, string>> = {
  minor: 'minor change',
  untouched: 'nothing that is for them has changed',
  papers: 'they have signed each paper for them that has changed',
}

/** The same, told to whoever it is about. */
export const WHY_YOURS: Readonly<Record<WhyCarried, string>> = {
  minor: 'Since then only a minor change was made.',
  untouched: 'Nothing that is for you has changed since.',
  papers: 'You have signed each paper for you that has changed since.',
}

/** How many stood as signed when a revision came in force, as its history says. */
export const standAsSigned = ({ byPaper }: Pick<DocumentKind, 'byPaper'>, many: number): string =>
  `${many} stood as signed: ${byPaper ? 'nothing for them had changed that they had not signed' : 'a minor change'}`

/** Can signatures of earlier revisions hold for a revision? */
export const mayCarry = (
  { byPaper }: Pick<DocumentKind, 'byPaper'>,
  { change }: { readonly change: string | null },
): boolean => byPaper === true || change === 'minor'
