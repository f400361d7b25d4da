import { IconLock } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { formatDialUri, useDialSetting } from './dial-setting.ts'
import { formatSpokenPhoneNumber } from './phone.ts'
import css from './phone-link.module.css'

/** Context with the reason why none of the numbers inside may be called at the moment. */
export const CallBlockReasonContext = createContext<string | undefined>(undefined)

interface Props {
  readonly number: string | null | undefined
  readonly who?: string
  /** Reason why this number must not be called. */
  readonly barred?: string | undefined
}

/**
 * Link that calls a number. The number is dialled without spaces and read aloud digit by digit. A number that must not
 * be called is not a link.
 */
export function PhoneLink({ number, who, barred }: Props) {
  const here = use(CallBlockReasonContext)
  const why = barred ?? here
  const by = useDialSetting()
  const to = number ? formatDialUri(number, by) : ''
  if (!number) return <span>—</span>
  if (!to) return <span>{number}</span>
  if (why)
    return (
      <span className={css.barred} title={why}>
        <IconLock size={14} aria-hidden /> {number}
        <span className={css.heard}>{`. ${why}`}</span>
      </span>
    )
  return (
    <a className={css.phone} href={to} onClick={(e) => e.stopPropagation()}>
      <span aria-hidden>{number}</span>
      <span className={css.heard}>{`Call ${who ? `${who} on ` : ''}${formatSpokenPhoneNumber(number)}`}</span>
    </a>
  )
}
