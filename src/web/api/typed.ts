import type { Me } from './session.ts'

/** Everything that people type and have not saved is kept in the tab under a name that begins so. */
const TYPED = 'stanchion-typed'

/** Whose it is: as whom they work, and who they really are. */
export const ownerOf = (me: Me | undefined): string =>
  me ? `${me.client.id}/${me.id}/${me.original?.id ?? ''}` : 'nobody'

/** The name under which something that a person has typed is kept in the tab. */
export const typedKey = (me: Me | undefined, name: string): string => `${TYPED} ${ownerOf(me)} ${name}`

/** Is this a draft of the person, as themselves or while they worked as somebody else? */
export function isDraftOf(me: Me, key: string): boolean {
  const real = me.original ? { client: me.original.clientId, id: me.original.id } : { client: me.client.id, id: me.id }
  const [client, id, original] = key.split('/')
  return original === String(real.id) || (original === '' && client === String(real.client) && id === String(real.id))
}

/** Takes what was typed out of this tab. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(TYPED)) sessionStorage.removeItem(key)
  } catch {}
}
