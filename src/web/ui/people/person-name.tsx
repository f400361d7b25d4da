import { type Username, useNames } from '../../api/names.ts'
import css from './avatar.module.css'

interface Props {
  readonly username: Username
  /** Whose record names them; the reader's own company, unless said. */
  readonly clientId?: number | undefined
}

/** Somebody by name; the username, which is what records and the chain hold, is there on pointing. */
export function PersonName({ username, clientId }: Props) {
  const nameOf = useNames([username], clientId)
  const name = nameOf(username)
  return (
    <span title={username ?? undefined} className={name === '…' ? css.coming : undefined}>
      {name}
    </span>
  )
}
