import { createPrompt } from './question.ts'

/** Prompt that asks a person to prove their identity again before a protected action. */
export const identityProofPrompt = createPrompt()
