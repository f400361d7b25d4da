import { IconLock } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { dialAddress, useDialSetting } from './dial-setting.ts'
import { spokenNumber } from './phone.ts'
import css from './phone-link.module.css'

/** Why nobody rings any of the numbers in here just now. */
export const BarredContext = createContext<string | undefined>(undefined)

interface Props {
  readonly number: string | null | undefined
  readonly who?: string
  /** Why nobody rings this number. */
  readonly barred?: string | undefined
}

/** A number to tap: dialled without its spaces, read aloud figure by figure. One that nobody should ring is no link. */
export function PhoneLink({ number, who, barred }: Props) {
  const here = use(BarredContext)
  const why = barred ?? here
  const by = useDialSetting()
  const to = number ? dialAddress(number, by) : ''
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
      <span className={css.heard}>{`Call ${who ? `${who} on ` : ''}${spokenNumber(number)}`}</span>
    </a>
  )
}
