import { type Actor, PROVIDER } from './roles.ts'

/** Works on while the portal is closed for maintenance: an administrator of the provider, as themselves. */
export const worksWhileClosed = (actor: Actor | undefined): boolean =>
  actor?.clientId === PROVIDER && !actor.original && actor.roles.some((role) => /^ROLE_\w+_ADMIN$/.test(role))
