import { type Actor, systemActor } from '#kernel/roles.ts'

/** The portal itself, acting for nobody: what happens by the clock, or because of something that has happened. */
export const system = (clientId: number): Actor => systemActor(clientId, 'a job')
