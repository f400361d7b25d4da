import type { Actor } from '#kernel/roles.ts'
import { deviceStorage } from '../offline/browser-storage.ts'
import { clearTabInput, lastSignedInOwner, ownerKeyOf } from '../offline/owner.ts'

/** The signed-in person, from `GET /api/security/user_check`. */
export interface Me {
  readonly '@id': string
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly client: { readonly '@id': string; readonly id: number; readonly company: string }
  /** The portal's name for this person: their reseller's, or the provider's. */
  readonly brand: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** The ids of the users who report to them. */
  readonly team: readonly number[]
  /** The products of their client. */
  readonly packs: Readonly<Record<string, 'active' | 'lapsed'>>
  /** Settings of their client that restrict which rows its people can see. */
  readonly choices: readonly string[]
  readonly isImpersonating: boolean
  /** The real person while impersonating. */
  readonly original: {
    readonly id: number
    readonly clientId: number
    readonly username: string
    readonly name: string
  } | null
  readonly impersonation: { readonly until: string; readonly reason: string; readonly writes: boolean } | null
  /** The largest upload, in bytes. */
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

/** Unknown until the server has responded; then signed in, or signed out by the person or by the server. */
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
/** Other tabs follow a sign-out, and reload when somebody starts or stops impersonating. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-session')
tabs?.addEventListener('message', (e) => {
  if (e.data === 'out') {
    clearTabInput()
    become(undefined, { kind: 'out', expired: false })
  }
  if (e.data === 'switched') location.reload()
})

/** Not a secret: only shows whether requesting a session from the server is worthwhile. */
const hint = deviceStorage.text('stanchion-signed-in')

function become(next: string | undefined, to: SessionState, seconds = 0) {
  token = next
  hint.write(to.kind === 'in' ? '1' : undefined)
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
  /** The token exists in this module only: it is never stored, and scripts of other origins can't read it. */
  begin: (s: SignInAnswer) => become(s.token, { kind: 'in', me: s.user }, s.expiresIn),
  /** Begins the session of another person: other tabs must not continue as the former one. */
  swap: (s: SignInAnswer) => {
    session.begin(s)
    tabs?.postMessage('switched')
  },
  end: (expired = false) => {
    become(undefined, { kind: 'out', expired })
    tabs?.postMessage('out')
  },
  /** The server can't be reached: the person last signed in is presumed to be signed in until it responds. */
  presume: (me: Me) => become(undefined, { kind: 'in', me }),
  isPresumed: () => state.kind === 'in' && token === undefined,
  expired: () => become(undefined, { kind: 'out', expired: true }),
  /** Sets the state of a browser in which nobody is signed in. */
  none: () => become(undefined, { kind: 'out', expired: false }),
  /** If the browser stores nothing, only the server knows. */
  likely: (): boolean => !deviceStorage.isAvailable() || hint.read() !== undefined,
  /** Replaces the data of the same person. */
  update: (me: Me) => {
    if (state.kind !== 'in' || JSON.stringify(state.me) === JSON.stringify(me)) return
    state = { kind: 'in', me }
    for (const l of listeners) l()
  },
  token: () => token,
  /** Requests a new token with the cookie. False if the session has ended. */
  renew: (): Promise<boolean> => {
    renewing ??= fetch('/api/security/renew', {
      method: 'POST',
      headers: { 'x-requested-with': 'portal', accept: 'application/ld+json' },
    })
      .then(async (r) => {
        // An unavailable server has not ended the session.
        if (r.status >= 502) throw new TypeError('The portal can’t be reached.')
        if (r.ok) session.begin((await r.json()) as SignInAnswer)
        return r.ok
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  },
  /** Renews the session once when a page is opened. It can be repeated after a lost connection. */
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

/** The signed-in person as an actor for `can()`; always the same object for the same person. */
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
