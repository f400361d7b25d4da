import { call } from '../api/client.ts'
import { type Me, session } from '../api/session.ts'
import { becoming } from './me.ts'

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

export async function signIn(given: Credentials): Promise<void> {
  const signed = await askToSignIn(given)
  becoming(() => session.begin(signed))
}

/** Signing out always succeeds here, whatever the server says. */
export async function signOut(): Promise<void> {
  await call('POST', '/api/security/logout').catch(() => undefined)
  becoming(() => session.end())
}

/** Become a person of a client; the client can read who came, when and why. */
export async function switchTo(to: { username: string; client: number; reason: string }): Promise<void> {
  const q = new URLSearchParams({ username: to.username, client: String(to.client), reason: to.reason })
  const signed = await call<Signed>('GET', `/api/security/user/switch?${q}`)
  becoming(() => session.swap(signed))
}

export async function switchBack(): Promise<void> {
  const signed = await call<Signed>('GET', '/api/security/user/unswitch')
  becoming(() => session.swap(signed))
}
