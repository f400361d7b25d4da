import { errorSentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/**
 * The message for a failure in a form that keeps its input. It states that once, even if the failure's message does
 * too.
 */
export function inputErrorSentence(error: unknown): string {
  const said = errorSentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
