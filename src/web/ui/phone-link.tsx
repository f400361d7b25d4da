import { numberToDial, spokenNumber } from './phone.ts'
import css from './phone-link.module.css'

/** A number to tap: dialled without its spaces, read aloud figure by figure. */
export function PhoneLink({ number, who }: { readonly number: string | null | undefined; readonly who?: string }) {
  const to = number ? numberToDial(number) : ''
  if (!number) return <span>—</span>
  if (!to) return <span>{number}</span>
  return (
    <a className={css.phone} href={`tel:${to}`} onClick={(e) => e.stopPropagation()}>
      <span aria-hidden>{number}</span>
      <span className={css.heard}>{`Call ${who ? `${who} on ` : ''}${spokenNumber(number)}`}</span>
    </a>
  )
}
