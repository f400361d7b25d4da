import { type OptionalUsername, usePersonNames } from '../../api/names.ts'
import css from './avatar.module.css'

interface Props {
  readonly username: OptionalUsername
  /** The client of the record that names the person; the reader's own by default. */
  readonly clientId?: number | undefined
}

/** A person's name; hovering shows the username, which is what records and the audit chain contain. */
export function PersonName({ username, clientId }: Props) {
  const nameOf = usePersonNames([username], clientId)
  const name = nameOf(username)
  return (
    <span title={username ?? undefined} className={name === '…' ? css.coming : undefined}>
      {name}
    </span>
  )
}
