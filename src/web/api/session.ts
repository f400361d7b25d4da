import type { Actor } from '#kernel/roles.ts'
import { deviceStorage } from '../offline/browser-storage.ts'
import { forgetTab, lastOwner, ownerOf } from '../offline/owner.ts'

/** The signed-in person as `GET /api/security/user_check` gives it. */
export interface Me {
  readonly '@id': string
  readonly id: number
  readonly username: string
  readonly name: string
  readonly email: string
  readonly client: { readonly '@id': string; readonly id: number; readonly company: string }
  /** Whose portal it is to them: their reseller's, or the provider's. */
  readonly brand: string
  readonly roles: readonly string[]
  readonly scopes: readonly string[]
  /** The user ids of those who report to them. */
  readonly team: readonly number[]
  /** What their client has of the packs. */
  readonly packs: Readonly<Record<string, 'active' | 'lapsed'>>
  /** What their client has chosen that leaves its people fewer rows. */
  readonly choices: readonly string[]
  readonly isImpersonating: boolean
  /** The real person while working as somebody else. */
  readonly original: {
    readonly id: number
    readonly clientId: number
    readonly username: string
    readonly name: string
  } | null
  readonly impersonation: { readonly until: string; readonly reason: string; readonly writes: boolean } | null
  /** Bytes of the largest file that the portal takes. */
  readonly fileLimit: number
  /** Hours after which a session ends of which nobody shows a sign of life. */
  readonly sessionHours: number
}

interface Signed {
  readonly token: string
  /** Seconds. */
  readonly expiresIn: number
  readonly user: Me
}

/** Where the session stands: not yet asked, signed in, signed out, or ended by the server. */
export type State =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'in'; readonly me: Me }
  | { readonly kind: 'out'; readonly expired: boolean }

let token: string | undefined
let renewAt = 0
let state: State = { kind: 'unknown' }
let renewing: Promise<boolean> | undefined
let opening: Promise<boolean> | undefined
const listeners = new Set<() => void>()
/** Other tabs: they follow a sign-out, and reload when somebody starts or stops working as somebody else. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('stanchion-session')
tabs?.addEventListener('message', (e) => {
  if (e.data === 'out') {
    forgetTab()
    become(undefined, { kind: 'out', expired: false })
  }
  if (e.data === 'switched') location.reload()
})

/** Not a secret: only whether it is worth asking the server for a session. */
const hint = deviceStorage.text('stanchion-signed-in')

function become(next: string | undefined, to: State, seconds = 0) {
  token = next
  hint.write(to.kind === 'in' ? '1' : undefined)
  lastOwner.write(to.kind === 'in' ? ownerOf(to.me) : undefined)
  renewAt = Date.now() + seconds * 500
  state = to
  for (const l of listeners) l()
}

export const session = {
  get: (): State => state,
  me: (): Me | undefined => (state.kind === 'in' ? state.me : undefined),
  subscribe: (l: () => void) => {
    listeners.add(l)
    return () => void listeners.delete(l)
  },
  /** The token lives in this module only; no script of another origin, and no storage, ever holds it. */
  begin: (s: Signed) => become(s.token, { kind: 'in', me: s.user }, s.expiresIn),
  /** The same, when the person has changed: other tabs must not go on as the former one. */
  swap: (s: Signed) => {
    session.begin(s)
    tabs?.postMessage('switched')
  },
  end: (expired = false) => {
    become(undefined, { kind: 'out', expired })
    tabs?.postMessage('out')
  },
  /** Nobody could be asked: whoever was signed in here is taken to be still, until the portal says so or otherwise. */
  presume: (me: Me) => become(undefined, { kind: 'in', me }),
  /** Is somebody only taken to be signed in? */
  isPresumed: () => state.kind === 'in' && token === undefined,
  expired: () => become(undefined, { kind: 'out', expired: true }),
  /** Nobody has signed in with this browser. */
  none: () => become(undefined, { kind: 'out', expired: false }),
  /** Where the browser stores nothing, only the server knows. */
  likely: (): boolean => !deviceStorage.isAvailable() || hint.read() !== undefined,
  /** The same person, as the server describes them now. */
  update: (me: Me) => {
    if (state.kind !== 'in' || JSON.stringify(state.me) === JSON.stringify(me)) return
    state = { kind: 'in', me }
    for (const l of listeners) l()
  },
  token: () => token,
  /** Asks for a new token by the cookie that only the server can read. False: there is no session any more. */
  renew: (): Promise<boolean> => {
    renewing ??= fetch('/api/security/renew', {
      method: 'POST',
      headers: { 'x-requested-with': 'portal', accept: 'application/ld+json' },
    })
      .then(async (r) => {
        // A portal that is not there has not said that the session is over.
        if (r.status >= 502) throw new TypeError('The portal can’t be reached.')
        if (r.ok) session.begin((await r.json()) as Signed)
        return r.ok
      })
      .finally(() => {
        renewing = undefined
      })
    return renewing
  },
  /** The renewal that a page begins with: whoever comes first begins it. After a connection that failed it can be begun again. */
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

/** The signed-in person as `can()` takes them; of one person always the same. */
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
