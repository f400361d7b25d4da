import { createQuestion } from './question.ts'

/** Asks a person to prove their identity again, before a protected action. */
export const proofQuestion = createQuestion()
