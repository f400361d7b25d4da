import { sentence } from '../ui/toast.ts'

const STILL_HERE = 'What you typed is still here'

/** The sentence for a failure where a form keeps what was typed: said once, as some failures say it themselves. */
export function sentenceForInput(error: unknown): string {
  const said = sentence(error)
  return said.includes(STILL_HERE) ? said : `${said} ${STILL_HERE}.`
}
