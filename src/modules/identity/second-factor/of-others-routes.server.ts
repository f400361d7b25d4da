import { problem } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { type AttemptLimit, countAttempt } from '#server/auth/attempts.ts'
import { reloadActor } from '#server/auth/look-again.ts'
import { requireAccessProof } from '#server/auth/proof.ts'
import { feature } from '#server/engine/module.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { hasSecondFactor, readSecondFactors } from '#server/second-factor/factors.ts'
import { findRequestedAccount } from '../people/account.server.ts'
import { managesUsers } from '../people/user.server.ts'
import { removeSecondFactor } from './enrol.server.ts'

const AT = '/api/portal/users/{id}/second_factor'
const ADMINS = ['ROLE_CLIENT_ADMIN', 'ROLE_USER_ADMIN']
/** Limit of second factors removed by one administrator. */
const TAKING: AttemptLimit = { free: 10, most: 10, minutes: 60 }

function requireKeeper(me: Actor): void {
  if (!managesUsers(me)) throw problem.forbidden()
  if (me.original)
    throw problem.forbidden(
      'Only the user’s own administrators can manage their second factor. Leave the client first.',
    )
}

/** Routes for administrators to view and remove another user's lost second factor. */
const othersFactorRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: AT,
    title: 'Get the second factors of a user',
    allow: ADMINS,
    handle: async (c) => {
      requireKeeper(c.me)
      const account = await findRequestedAccount(c)
      const factors = await c.engine.db.tx('system', (tx) => readSecondFactors(tx, account))
      return {
        isSet: hasSecondFactor(factors),
        app: factors.app !== null,
        passkeys: factors.passkeys.length,
        recoveryCodes: factors.recoveryCodes,
      }
    },
  },
  {
    method: 'DELETE',
    path: AT,
    title: 'Remove the lost second factor of a user',
    allow: ADMINS,
    handle: async (c) => {
      requireKeeper(c.me)
      requireAccessProof(c.me)
      const account = await findRequestedAccount(c)
      if (account.clientId === c.me.clientId && account.userId === c.me.userId)
        throw problem.conflict('Manage your own second factor under “Sign-in and security”.')
      const by = { who: c.me, verb: 'factor-taken-away', from: c.request } as const
      const key = `take-factor-by:${c.me.clientId}.${c.me.userId}`
      const isTaken = await removeSecondFactor(c.engine, account, by, async (tx) => {
        const now = await reloadActor(tx, c.engine.config, c.me)
        requireKeeper(now)
        requireAccessProof(now)
        await countAttempt(tx, [{ key, pace: TAKING }])
      })
      if (!isTaken) throw problem.conflict(`${account.name} has no second factor.`)
      return new RouteResponse(204)
    },
  },
]

export const secondFactor = feature({
  routes: othersFactorRoutes,
  commands: [
    {
      name: 'user reset-factor',
      help: `  user reset-factor --username NAME --client 0
                              remove a lost second factor`,
      load: async () => (await import('./reset.server.ts')).runResetFactor,
    },
  ],
})
