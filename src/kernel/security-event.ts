import type { Option } from './fields.ts'

/** What the security log tells of: who came in, who was kept out, and who may do what since then. */
export const SECURITY_EVENTS = [
  { value: 'sign-in', label: 'Signed in' },
  { value: 'sign-in-failed', label: 'Sign-in failed' },
  { value: 'locked', label: 'Held up after failed sign-ins' },
  { value: 'sign-out', label: 'Signed out' },
  { value: 'session-ended', label: 'Session ended' },
  { value: 'switch', label: 'Began to work as somebody else' },
  { value: 'switch-back', label: 'Left' },
  { value: 'refused', label: 'Refused' },
  { value: 'rights', label: 'Rights changed' },
  { value: 'account', label: 'Account changed' },
  { value: 'password', label: 'Password set' },
  { value: 'password-link', label: 'Link to set a password asked for' },
  { value: 'second-factor', label: 'Second factor changed' },
  { value: 'second-factor-failed', label: 'Second factor failed' },
] as const satisfies readonly Option[]

export type SecurityEvent = (typeof SECURITY_EVENTS)[number]['value']

/** Those that may be the beginning of an attack: their lines in the server's log are warnings. */
export const WARNINGS: ReadonlySet<SecurityEvent> = new Set([
  'sign-in-failed',
  'locked',
  'refused',
  'second-factor-failed',
])
