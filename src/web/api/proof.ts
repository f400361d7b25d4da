import { makeQuestion } from './question.ts'

/** Are you still you? What the server guards is refused until its person proves it once more. */
export const proof = makeQuestion()
