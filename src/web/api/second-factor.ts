import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { ApiError, callApi } from './client.ts'
import type { SignInResult } from './signing.ts'

export type IdentityProofMethod = 'totp' | 'passkey' | 'recovery' | 'password'

/** Proof of identity. Exactly one of these properties is set. */
export interface IdentityProofInput {
  readonly code?: string
  readonly recoveryCode?: string
  readonly passkey?: unknown
  readonly password?: string
}

/** Second step of a sign-in whose password was correct. */
export interface SecondFactorChallenge {
  readonly kind: 'prove' | 'set-up'
  readonly ticket: string
  readonly methods: readonly IdentityProofMethod[]
}

const KINDS: Readonly<Record<string, SecondFactorChallenge['kind']>> = {
  second_factor_required: 'prove',
  second_factor_setup_required: 'set-up',
}

/** Returns the second step that the rejected sign-in requires, if any. */
export function parseSecondFactorChallenge(error: unknown): SecondFactorChallenge | undefined {
  if (!(error instanceof ApiError)) return undefined
  const kind = KINDS[error.code ?? '']
  const more = error.more.secondFactor as { ticket: string; methods: readonly IdentityProofMethod[] } | undefined
  return kind && more ? { kind, ticket: more.ticket, methods: more.methods } : undefined
}

/** Endpoint of the second step. The ticket is required during a sign-in, but not for a signed-in person. */
export interface SecondFactorEndpoint {
  readonly at: string
  readonly ticket?: string
}

const STEP = '/api/security/login/second_factor'
export const secondFactorEndpointForTicket = (ticket: string): SecondFactorEndpoint => ({ at: STEP, ticket })
export const OWN_SECOND_FACTOR_ENDPOINT: SecondFactorEndpoint = { at: '/api/security/second_factor' }

const send = <T>({ at, ticket }: SecondFactorEndpoint, path: string, body: object = {}) =>
  callApi<T>('POST', at + path, { ...body, ...(ticket ? { ticket } : {}) })

export const finishSignIn = (way: SecondFactorEndpoint, proof: IdentityProofInput): Promise<SignInResult> =>
  send<SignInResult>(way, '', proof)

/** Proves the person's identity again. The new token is valid for protected actions. */
export const proveIdentity = (proof: IdentityProofInput): Promise<SignInResult> =>
  callApi<SignInResult>('POST', '/api/security/proof', proof)

/**
 * Result of setting up a second factor. Includes the recovery codes if this is the person's first second factor, and
 * the session if it was set up during a sign-in.
 */
export type SecondFactorSetupResult = { readonly recoveryCodes: readonly string[] } & Partial<SignInResult>

export interface AuthenticatorSecret {
  readonly enrolment: string
  readonly secret: string
  readonly address: string
}

export const startAuthenticatorSetup = (way: SecondFactorEndpoint): Promise<AuthenticatorSecret> =>
  send<AuthenticatorSecret>(way, '/app')
export const confirmAuthenticatorSetup = (
  way: SecondFactorEndpoint,
  enrolment: string,
  code: string,
): Promise<SecondFactorSetupResult> => send<SecondFactorSetupResult>(way, '/app/confirm', { enrolment, code })

/** Library for passkeys, loaded on first use. */
const browser = () => import('@simplewebauthn/browser')

export const supportsPasskeys = (): boolean => typeof globalThis.PublicKeyCredential === 'function'

/** Makes the browser ask for a passkey. `options` is the URL of the passkey options. */
export async function requestPasskey(options: string, ticket?: string): Promise<IdentityProofInput> {
  const asked = await callApi<{ options: PublicKeyCredentialRequestOptionsJSON }>(
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

/** Makes the browser create a passkey, and registers the passkey with the server. */
export async function addPasskey(way: SecondFactorEndpoint, name: string): Promise<SecondFactorSetupResult> {
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
  return send<SecondFactorSetupResult>(way, '/passkeys', { name, passkey })
}
