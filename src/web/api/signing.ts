import { removePersonData } from '../offline/forget.ts'
import { callApi } from './client.ts'
import { switchSession } from './me.ts'
import { type Me, session } from './session.ts'

export interface SignInResult {
  readonly token: string
  readonly expiresIn: number
  readonly user: Me
}

export interface Credentials {
  readonly username: string
  readonly password: string
  /** Client number, needed only if the username alone is ambiguous. */
  readonly client?: string
}

export const requestSignIn = ({ username, password, client }: Credentials) =>
  callApi<SignInResult>('POST', '/api/security/login', {
    username,
    password,
    ...(client ? { client: Number(client) } : {}),
  })

/** Function that navigates once the session has been switched to the new person. */
type Go = () => unknown

export const signIn = async (given: Credentials, go: Go): Promise<void> => startSession(await requestSignIn(given), go)

/** Starts the session of a person who has proved their identity. */
export const startSession = (signed: SignInResult, go: Go): Promise<void> =>
  switchSession(() => session.begin(signed), go)

/** Signs out, even if the request fails, and removes unsaved input from this device. */
export async function signOut(go: Go): Promise<void> {
  const now = session.get()
  await callApi('POST', '/api/security/logout').catch(() => undefined)
  await removePersonData(now.kind === 'in' ? now.me : undefined)
  await switchSession(() => session.end(), go)
}

/** Starts impersonating a client's user. The client can see who impersonated the user, when and why. */
export async function impersonatePerson(
  to: { username: string; client: number; reason: string },
  go: Go,
): Promise<void> {
  const q = new URLSearchParams({ username: to.username, client: String(to.client), reason: to.reason })
  const signed = await callApi<SignInResult>('GET', `/api/security/user/switch?${q}`)
  await switchSession(() => session.swap(signed), go)
}

export async function stopImpersonating(go: Go): Promise<void> {
  const signed = await callApi<SignInResult>('GET', '/api/security/user/unswitch')
  await switchSession(() => session.swap(signed), go)
}

/** Allows changes during the current impersonation. The client can see the reason. */
export async function allowChanges(reason: string): Promise<void> {
  session.begin(await callApi<SignInResult>('POST', '/api/security/user/write', { reason }))
}
