import { errorSentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/**
 * Returns the error message for a form that retains its input. If the error's own message already says that the input
 * is still there, this is not repeated.
 */
export function inputErrorSentence(error: unknown): string {
  const said = errorSentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
