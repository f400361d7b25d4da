import { problem } from '#kernel/errors.ts'
import { type AppStatus, packStateFromStatus } from '#kernel/packs.ts'
import { type Actor, PROVIDER } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { appStatus, appStatusChange, packProduct } from './app-status.ts'

/** Throws for everybody except the provider's users and the system, whatever roles they hold elsewhere. */
export function requireProvider(actor: Actor): void {
  if (actor.clientId !== PROVIDER && actor.kind !== 'system')
    throw problem.forbidden('Only the provider can change what a client has.')
}

const statusOf = (row: Partial<AppStatus>): AppStatus => ({
  status: row.status ?? 1,
  retired: row.retired ?? false,
  hasLapsed: row.hasLapsed ?? false,
})

/** Each change of an entitlement is recorded in its history and in the security log. */
export const appStatusBehaviour = behaviour(appStatus, {
  beforeSave: ({ actor, before, changes }) => {
    requireProvider(actor)
    if (before && changes.product !== undefined)
      throw problem.conflict('This is the status of one product. Add another for another product.')
    return undefined
  },
  afterSave: async (c) => {
    const { before, changes } = c
    const was = before ? packStateFromStatus(statusOf(before)) : 'none'
    const becomes = packStateFromStatus(statusOf({ ...before, ...changes }))
    const id = before?.product ?? changes.product
    if (was === becomes || !id) return
    await c
      .withoutPermissionCheck('record a change of entitlement')
      .create(appStatusChange, { product: id, was, becomes })
    const { code = '' } = (await c.get(packProduct, id)) ?? {}
    c.security('rights', `pack ${code}: ${was}, now ${becomes}`)
  },
})
