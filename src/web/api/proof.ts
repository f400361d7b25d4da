import { createPrompt } from './question.ts'

/** Asks a person to prove their identity again, before a protected action. */
export const identityProofPrompt = createPrompt()
