import { formatCountWithNoun } from '#kernel/text.ts'
import type { AnsweredQuestion } from '../types/document.ts'

/** Question about a document, with the index of the right option. */
export interface ReadingQuestion {
  /** Heading in the document under which the right statement appears. */
  readonly topic: string
  readonly question: string
  readonly options: readonly string[]
  readonly right: number
}

/** What a user has to prove before signing a revision. */
export interface ReadingProof {
  /** True if the user's request to sign asks for proof of reading. */
  readonly asked: boolean
  /** Revision that the user signed last; the questions are only about later changes. Null if there is none. */
  readonly since: number | null
  readonly questions: readonly ReadingQuestion[]
}

/** Maximum number of times that an answer is accepted for one question. */
export const MAX_ANSWERS = 20

/** Describes the answers, such as `3 questions answered, 2 at the first attempt`. */
export function describeAnswers(answered: readonly AnsweredQuestion[]): string {
  const first = answered.filter(({ chosen }) => chosen.length === 1).length
  return `${formatCountWithNoun(answered.length, 'question').join('')} answered, ${first === answered.length ? 'each' : first} at the first attempt`
}
