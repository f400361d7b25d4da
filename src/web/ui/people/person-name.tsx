import { type Username, useNames } from '../../api/names.ts'

interface Props {
  readonly username: Username
  /** Whose record names them; the reader's own company, unless said. */
  readonly clientId?: number | undefined
}

/** Somebody by name; the username, which is what records and the chain hold, is there on pointing. */
export function PersonName({ username, clientId }: Props) {
  const nameOf = useNames([username], clientId)
  return <span title={username ?? undefined}>{nameOf(username)}</span>
}
