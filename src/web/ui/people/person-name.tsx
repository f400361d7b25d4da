import { type OptionalUsername, usePersonNames } from '../../api/names.ts'
import css from './avatar.module.css'

interface Props {
  readonly username: OptionalUsername
  /** Client of the record that names the person. The default is the reader's own client. */
  readonly clientId?: number | undefined
}

/** A person's name. Hovering shows the username, because records and the audit chain contain usernames. */
export function PersonName({ username, clientId }: Props) {
  const nameOf = usePersonNames([username], clientId)
  const name = nameOf(username)
  return (
    <span title={username ?? undefined} className={name === '…' ? css.coming : undefined}>
      {name}
    </span>
  )
}
