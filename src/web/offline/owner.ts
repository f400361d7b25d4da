import type { Me } from '../api/session.ts'

/** Everything that people type and have not saved is kept in the tab under a name that begins so. */
const TYPED = 'stanchion-typed'

/** Where drafts of forms are kept in this browser: the database and its store. */
export const DRAFTS = ['stanchion-drafts', 'drafts'] as const

/** Where this browser keeps what somebody has read, for when there is no connection: the database and its store. */
export const COPIES = ['stanchion-copies', 'copies'] as const

/** Whose it is: as whom they work, and who they really are. */
export const ownerOf = (me: Me | undefined): string =>
  me ? `${me.client.id}/${me.id}/${me.original?.id ?? ''}` : 'nobody'

/** The name under which something that a person has typed is kept in the tab. */
export const typedKey = (me: Me | undefined, name: string): string => `${TYPED} ${ownerOf(me)} ${name}`

/** The name under which a draft is kept in the tab as its page goes. */
export const leftKey = (key: string): string => `${TYPED} left ${key}`

/** What was decided and is not answered is kept in the tab under this name. */
export const DECISIONS = 'decisions'

/** Is this a draft of the person, as themselves or while they worked as somebody else? */
export function isOwnedBy(me: Me, key: string): boolean {
  const real = me.original ? { client: me.original.clientId, id: me.original.id } : { client: me.client.id, id: me.id }
  const [client, id, original] = key.split('/')
  return original === String(real.id) || (original === '' && client === String(real.client) && id === String(real.id))
}

/** Takes a person's drafts out of this browser. */
export async function forgetDraftsOf(me: Me): Promise<void> {
  const { createStore, del, keys } = await import('idb-keyval')
  const store = createStore(...DRAFTS)
  const kept = await keys<string>(store).catch(() => [])
  for (const key of kept) if (isOwnedBy(me, key)) await del(key, store).catch(() => undefined)
}

/** What people have opened on this device is kept in the browser under a name that begins so. */
const RECENT = 'stanchion-recent'

/** The name under which it is kept what a person has opened. */
export const recentKey = (me: Me): string => `${RECENT} ${ownerOf(me)}`

/** Takes what anybody has opened out of this browser. */
export function forgetRecent(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(RECENT)) localStorage.removeItem(key)
  } catch {}
}

/** Takes what was typed out of this tab. */
export function forgetTab(): void {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(TYPED)) sessionStorage.removeItem(key)
  } catch {}
}

const WHO = 'stanchion-who'

/** Who was signed in here last, by `ownerOf`: what is kept of anybody else is not theirs, and is shown to nobody. */
export const lastOwner = {
  get: (): string | undefined => {
    try {
      return localStorage.getItem(WHO) ?? undefined
    } catch {
      return undefined
    }
  },
  set: (owner: string | undefined): void => {
    try {
      if (owner === undefined) localStorage.removeItem(WHO)
      else localStorage.setItem(WHO, owner)
    } catch {}
  },
}

/** Takes what anybody has read out of this browser. */
export async function forgetCache(): Promise<void> {
  const { clear, createStore } = await import('idb-keyval')
  await clear(createStore(...COPIES)).catch(() => undefined)
}
