import type { Actor } from '#kernel/roles.ts'

/** The portal itself, acting for nobody: what happens by the clock, or because of something that has happened. */
export const system = (clientId: number): Actor => ({
  userId: 0,
  clientId,
  username: 'system',
  name: 'The portal',
  roles: [],
  scopes: [],
})
