import { errorSentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/**
 * Returns the error message for a form that retains its input. The message says only once that the input is still
 * there, even if the error's own message also says so.
 */
export function inputErrorSentence(error: unknown): string {
  const said = errorSentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
