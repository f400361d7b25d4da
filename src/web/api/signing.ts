import { forgetPerson } from '../offline/forget.ts'
import { call } from './client.ts'
import { adoptSession } from './me.ts'
import { type Me, session } from './session.ts'

export interface Signed {
  readonly token: string
  readonly expiresIn: number
  readonly user: Me
}

export interface Credentials {
  readonly username: string
  readonly password: string
  /** A client number, where the username alone is not enough. */
  readonly client?: string
}

export const askToSignIn = ({ username, password, client }: Credentials) =>
  call<Signed>('POST', '/api/security/login', { username, password, ...(client ? { client: Number(client) } : {}) })

/** Leads to a page once the person has changed. */
type Go = () => unknown

export const signIn = async (given: Credentials, go: Go): Promise<void> => enter(await askToSignIn(given), go)

/** Begins the session of somebody who has proved who they are. */
export const enter = (signed: Signed, go: Go): Promise<void> => adoptSession(() => session.begin(signed), go)

/** Signing out always succeeds here, whatever the server says. What was typed and not saved leaves the browser. */
export async function signOut(go: Go): Promise<void> {
  const now = session.get()
  await call('POST', '/api/security/logout').catch(() => undefined)
  await forgetPerson(now.kind === 'in' ? now.me : undefined)
  await adoptSession(() => session.end(), go)
}

/** Become a person of a client; the client can read who came, when and why. */
export async function switchTo(to: { username: string; client: number; reason: string }, go: Go): Promise<void> {
  const q = new URLSearchParams({ username: to.username, client: String(to.client), reason: to.reason })
  const signed = await call<Signed>('GET', `/api/security/user/switch?${q}`)
  await adoptSession(() => session.swap(signed), go)
}

export async function switchBack(go: Go): Promise<void> {
  const signed = await call<Signed>('GET', '/api/security/user/unswitch')
  await adoptSession(() => session.swap(signed), go)
}

/** While working as somebody else: from now on things may be changed too. The client reads why. */
export async function allowChanges(reason: string): Promise<void> {
  session.begin(await call<Signed>('POST', '/api/security/user/write', { reason }))
}
