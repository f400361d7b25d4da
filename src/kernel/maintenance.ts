import { type Actor, PROVIDER_CLIENT_ID } from './roles.ts'

/**
 * True for the provider's administrators, who can use the portal during maintenance unless they are impersonating
 * somebody.
 */
export const canUsePortalDuringMaintenance = (actor: Actor | undefined): boolean =>
  actor?.clientId === PROVIDER_CLIENT_ID && !actor.original && actor.roles.some((role) => /^ROLE_\w+_ADMIN$/.test(role))
