import { sentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/** The sentence for a failure in a form that keeps its input. It says so once, even if the failure says it too. */
export function sentenceForInput(error: unknown): string {
  const said = sentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
