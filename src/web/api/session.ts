import type { Actor } from '#kernel/roles.ts'
import { deviceStorage } from '../offline/browser-storage.ts'
import { clearUnsavedInput, lastSignedInOwner, ownerKeyOf } from '../offline/owner.ts'

/** Signed-in person, from `GET /api/security/user_check`. */
export interface Me {
  readonly '@id': string
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly client: { readonly '@id': string; readonly id: number; readonly company: string }
  /** Brand name that the portal shows to this person: their reseller's or the provider's. */
  readonly brand: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** IDs of the users who report to this person. */
  readonly team: readonly number[]
  /** Packs that the person's client has bought, by code, each active or lapsed. */
  readonly packs: Readonly<Record<string, 'active' | 'lapsed'>>
  /** Settings of the person's client that restrict which records its users can see. */
  readonly choices: readonly string[]
  readonly isImpersonating: boolean
  /** The person behind an impersonation. */
  readonly original: {
    readonly id: number
    readonly clientId: number
    readonly username: string
    readonly name: string
  } | null
  readonly impersonation: { readonly until: string; readonly reason: string; readonly writes: boolean } | null
  /** Maximum size of an upload in bytes. */
  readonly fileLimit: number
  /** Hours without activity after which a session ends. */
  readonly sessionHours: number
}

interface SignInAnswer {
  readonly token: string
  /** Lifetime of the token in seconds. */
  readonly expiresIn: number
  readonly user: Me
}

/**
 * State of the session: unknown until the server has responded, then signed in or signed out. `expired` is true if the
 * server ended the session.
 */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'in'; readonly me: Me }
  | { readonly kind: 'out'; readonly expired: boolean }

let token: string | undefined
let renewAt = 0
let state: SessionState = { kind: 'unknown' }
let renewing: Promise<boolean> | undefined
let opening: Promise<boolean> | undefined
const listeners = new Set<() => void>()
/**
 * Messages between tabs. If one tab signs out, the other tabs do so too. If somebody starts or stops impersonating in
 * one tab, the other tabs reload.
 */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-session')
tabs?.addEventListener('message', (e) => {
  if (e.data === 'out') {
    clearUnsavedInput()
    become(undefined, { kind: 'out', expired: false })
  }
  if (e.data === 'switched') location.reload()
})

/**
 * Hint that somebody has signed in on this device, so that requesting a session from the server is worthwhile. It is
 * not a secret. A session that ends while a page is open leaves the hint: after a reload, the server states again that
 * the session has ended, and the sign-in page can say so.
 */
const hint = deviceStorage.text('stanchion-signed-in')

function become(next: string | undefined, to: SessionState, seconds = 0) {
  token = next
  const hasJustExpired = state.kind === 'in' && to.kind === 'out' && to.expired
  hint.write(to.kind === 'in' || hasJustExpired ? '1' : undefined)
  lastSignedInOwner.write(to.kind === 'in' ? ownerKeyOf(to.me) : undefined)
  renewAt = Date.now() + seconds * 500
  state = to
  for (const l of listeners) l()
}

export const session = {
  get: (): SessionState => state,
  me: (): Me | undefined => (state.kind === 'in' ? state.me : undefined),
  subscribe: (l: () => void) => {
    listeners.add(l)
    return () => void listeners.delete(l)
  },
  /** The token exists in this module only. It is never stored, and another origin's scripts can't read it. */
  begin: (s: SignInAnswer) => become(s.token, { kind: 'in', me: s.user }, s.expiresIn),
  /**
   * Starts another person's session. Other tabs are notified, because they must not continue as the previous person.
   */
  swap: (s: SignInAnswer) => {
    session.begin(s)
    tabs?.postMessage('switched')
  },
  end: (expired = false) => {
    become(undefined, { kind: 'out', expired })
    tabs?.postMessage('out')
  },
  /**
   * Assumes that the person who last signed in is still signed in. Called if the server can't be reached; the
   * assumption lasts until the server responds.
   */
  presume: (me: Me) => become(undefined, { kind: 'in', me }),
  isPresumed: () => state.kind === 'in' && token === undefined,
  expired: () => become(undefined, { kind: 'out', expired: true }),
  /** Sets the state for a browser in which nobody is signed in. */
  none: () => become(undefined, { kind: 'out', expired: false }),
  /**
   * Returns true if somebody is likely to be signed in. Also returns true if the browser can't store anything, because
   * then only the server knows.
   */
  likely: (): boolean => !deviceStorage.isAvailable() || hint.read() !== undefined,
  /** Updates the data of the person who is already signed in. */
  update: (me: Me) => {
    if (state.kind !== 'in' || JSON.stringify(state.me) === JSON.stringify(me)) return
    state = { kind: 'in', me }
    for (const l of listeners) l()
  },
  token: () => token,
  /** Requests a new token using the cookie. Resolves to false if the session has ended. */
  renew: (): Promise<boolean> => {
    renewing ??= fetch('/api/security/renew', {
      method: 'POST',
      headers: { 'x-requested-with': 'portal', accept: 'application/ld+json' },
    })
      .then(async (r) => {
        // An unavailable server does not mean that the session has ended.
        if (r.status >= 502) throw new TypeError('The portal can’t be reached.')
        if (r.ok) session.begin((await r.json()) as SignInAnswer)
        return r.ok
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  },
  /** Renews the session once per page load. The renewal can be repeated after a lost connection. */
  open: (): Promise<boolean> => {
    opening ??= session.renew().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  },
  stale: () => state.kind === 'in' && Date.now() > renewAt,
}

const actors = new WeakMap<Me, Actor>()

/** Returns the signed-in person as an actor for `can()`. The same person always gets the same object. */
export function actorOf(me: Me): Actor {
  const known = actors.get(me)
  if (known) return known
  const actor = makeActor(me)
  actors.set(me, actor)
  return actor
}

const makeActor = (me: Me): Actor => ({
  userId: me.id,
  clientId: me.client.id,
  username: me.username,
  name: me.name,
  roles: me.roles,
  scopes: me.scopes,
  team: me.team,
  packs: me.packs,
  choices: me.choices,
  ...(me.original
    ? {
        original: {
          userId: me.original.id,
          clientId: me.original.clientId,
          username: me.original.username,
          name: me.original.name,
        },
      }
    : {}),
})
