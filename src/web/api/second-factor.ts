import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError, call } from './client.ts'
import type { Signed } from './signing.ts'

/** A method of proving one's identity. */
export type Method = 'totp' | 'passkey' | 'recovery' | 'password'

/** A proof of identity: exactly one of these. */
export interface Proof {
  readonly code?: string
  readonly recoveryCode?: string
  readonly passkey?: unknown
  readonly password?: string
}

/** The second step of a sign-in with a correct password. */
export interface Step {
  readonly kind: 'prove' | 'set-up'
  readonly ticket: string
  readonly methods: readonly Method[]
}

const KINDS: Readonly<Record<string, Step['kind']>> = {
  second_factor_required: 'prove',
  second_factor_setup_required: 'set-up',
}

/** The second step that a refused sign-in asks for. */
export function stepOf(error: unknown): Step | undefined {
  if (!(error instanceof ApiError)) return undefined
  const kind = KINDS[error.code ?? '']
  const more = error.more.secondFactor as { ticket: string; methods: readonly Method[] } | undefined
  return kind && more ? { kind, ticket: more.ticket, methods: more.methods } : undefined
}

/** The endpoint of the second step, with the ticket of a sign-in, or without one for a signed-in person. */
export interface Way {
  readonly at: string
  readonly ticket?: string
}

const STEP = '/api/security/login/second_factor'
export const byTicket = (ticket: string): Way => ({ at: STEP, ticket })
/** The endpoint for the signed-in person's own second factor. */
export const MINE: Way = { at: '/api/security/second_factor' }

const send = <T>({ at, ticket }: Way, path: string, body: object = {}) =>
  call<T>('POST', at + path, { ...body, ...(ticket ? { ticket } : {}) })

/** Finishes a sign-in with a proof. */
export const finish = (way: Way, proof: Proof): Promise<Signed> => send<Signed>(way, '', proof)

/** Proves the identity again; the new token is valid for protected actions. */
export const proveAgain = (proof: Proof): Promise<Signed> => call<Signed>('POST', '/api/security/proof', proof)

/** The result of setting up a factor: recovery codes with the first one, and the session where it was part of a sign-in. */
export type SetUp = { readonly recoveryCodes: readonly string[] } & Partial<Signed>

export interface AppSecret {
  readonly enrolment: string
  readonly secret: string
  readonly address: string
}

export const beginApp = (way: Way): Promise<AppSecret> => send<AppSecret>(way, '/app')
export const confirmApp = (way: Way, enrolment: string, code: string): Promise<SetUp> =>
  send<SetUp>(way, '/app/confirm', { enrolment, code })

/** Loaded with the first passkey. */
const browser = () => import('@simplewebauthn/browser')

/** Does this browser support passkeys? */
export const hasPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Has the browser ask for a passkey; `options` is the endpoint of the passkey options. */
export async function askPasskey(options: string, ticket?: string): Promise<Proof> {
  const asked = await call<{ options: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    options,
    ticket ? { ticket } : {},
  )
  const { startAuthentication } = await browser()
  const passkey = await startAuthentication({ optionsJSON: asked.options }).catch(() => {
    throw new ApiError(0, 'No passkey was used. Please try again, or choose another method.')
  })
  return { passkey }
}

/** Has the browser create a passkey, and stores it. */
export async function addPasskey(way: Way, name: string): Promise<SetUp> {
  const asked = await send<{ options: PublicKeyCredentialCreationOptionsJSON }>(way, '/passkeys/options')
  const { startRegistration } = await browser()
  const passkey = await startRegistration({ optionsJSON: asked.options }).catch((e: Error) => {
    throw new ApiError(
      0,
      e.name === 'InvalidStateError'
        ? 'This device already has a passkey for the portal.'
        : 'No passkey was created. Please try again, or choose another method.',
    )
  })
  return send<SetUp>(way, '/passkeys', { name, passkey })
}
