import { errorSentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/**
 * The message for a failure in a form that keeps its input. It says only once that the input is still there, even if
 * the failure's own message says so too.
 */
export function inputErrorSentence(error: unknown): string {
  const said = errorSentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
