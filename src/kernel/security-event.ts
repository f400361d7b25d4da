import type { FieldOption } from './fields.ts'

/** Events in the security log: sign-ins, refusals and changes to permissions. */
export const SECURITY_EVENTS = [
  { value: 'sign-in', label: 'Signed in' },
  { value: 'sign-in-failed', label: 'Sign-in failed' },
  { value: 'locked', label: 'Locked after failed sign-ins' },
  { value: 'sign-out', label: 'Signed out' },
  { value: 'session-ended', label: 'Session ended' },
  { value: 'switch', label: 'Impersonation started' },
  { value: 'switch-back', label: 'Impersonation ended' },
  { value: 'refused', label: 'Access refused' },
  { value: 'rights', label: 'Rights changed' },
  { value: 'account', label: 'Account changed' },
  { value: 'password', label: 'Password set' },
  { value: 'password-link', label: 'Password link requested' },
  { value: 'second-factor', label: 'Second factor changed' },
  { value: 'second-factor-failed', label: 'Second factor failed' },
  { value: 'signing-pin', label: 'Signing PIN changed' },
  { value: 'signing-pin-failed', label: 'Wrong signing PIN' },
] as const satisfies readonly FieldOption[]

export type SecurityEvent = (typeof SECURITY_EVENTS)[number]['value']

/** Events that may be the start of an attack. The server logs them as warnings. */
export const SECURITY_WARNING_EVENTS: ReadonlySet<SecurityEvent> = new Set([
  'sign-in-failed',
  'locked',
  'refused',
  'second-factor-failed',
  'signing-pin-failed',
])
