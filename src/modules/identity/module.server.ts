import { problem } from '#kernel/errors.ts'
import { defineSavedEvidence } from '#kernel/evidence.ts'
import { labelOfType } from '#kernel/resource.ts'
import { formatCountWithNoun } from '#kernel/text.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { findUsersWithRoles } from '#server/auth/accounts.ts'
import { READING_VERBS } from '#server/data/writing/audit-trace.ts'
import { requireCurrentProof } from '#server/engine/actor-now.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { ReferenceData } from '#server/engine/initial-data.ts'
import { declareNotificationType, feature, joinFeatures } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import { sealUnsealedRecords } from '#server/evidence/seal.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { insertMissingRows } from '#server/seed/fill.ts'
import { readReferenceFile } from '#server/seed/reference.ts'
import { confidentialReads } from './confidential-reads/confidential-reads.server.ts'
import { impersonationPeriod } from './impersonations/impersonation.ts'
import { IDENTITY_NAV } from './nav.ts'
import { passwords } from './passwords/routes.server.ts'
import { people } from './people/user.server.ts'
import { portal } from './portal/routes.server.ts'
import { signingPin } from './profile/signing-pin.server.ts'
import { role, roleCategory } from './roles/role.ts'
import { secondFactor } from './second-factor/prove.server.ts'
import { securityEvent } from './security-log/security-event.ts'
import { sessions } from './sessions/routes.server.ts'

/** Deletes entries older than thirteen months; the database prevents the deletion of newer entries. */
const trimSecurityLog = schedule({
  name: 'identity.trim-security-log',
  every: { daily: '03:20' },
  run: (engine) =>
    engine.db.tx('owner', async (tx) => {
      await tx.rows("SET LOCAL app.upkeep = 'security_event'")
      await tx.rows("DELETE FROM security_event WHERE at < now() - interval '13 months'")
    }),
})

const impersonationNotice = declareNotificationType({
  kind: 'impersonation.changes',
  label: 'Changes made by provider staff working as a user',
  for: 'ROLE_CLIENT_ADMIN',
  icon: 'shield',
  of: impersonationPeriod,
  words: ({ visitorName, asUsername, changes, changed }) =>
    changes === null
      ? `${visitorName} made changes while working as ${asUsername}. They are being counted`
      : `${visitorName} made ${formatCountWithNoun(changes, 'change').join('')} while working as ${asUsername}: ${changed}`,
  path: () => '/config/visits',
  mail: true,
})

/** Minutes after which the client's administrators are notified of changes. */
const NOTICE_MINUTES = 15

/** Hours for which changes are still counted after an impersonation. */
const JOB_HOURS = 6

/** Counts the changes made during impersonations, and notifies the client's administrators of new ones. */
const notifyOfChanges = schedule({
  name: 'identity.notify-of-impersonations',
  every: { minutes: NOTICE_MINUTES },
  run: (engine) =>
    processRowsForAllClients(
      engine,
      {
        of: impersonationPeriod,
        where: {},
        reason: 'identity.notify-of-impersonations',
        condition: () =>
          // Batch jobs that were started during the impersonation may continue after its end.
          `t.writes_from IS NOT NULL AND coalesce(t.counted_at, t.writes_from) <= least(t.until, t.ended_at) + interval '${JOB_HOURS} hours'`,
      },
      async (c, period) => {
        const found = await c.work.tx.rows<{ type: string; n: number }>(
          `SELECT type, count(*)::int AS n FROM audit WHERE client_id = $1 AND as_visit_id = $2 AND verb <> ALL ($3::text[])
           GROUP BY type ORDER BY n DESC, type`,
          [c.clientId, period.id, [...READING_VERBS]],
        )
        const changes = found.reduce((sum, { n }) => sum + n, 0)
        const changed = found.map(({ type, n }) => `${labelOfType(type)} (${n})`).join(', ')
        const [former] = await c.work.tx.rows<{ changes: number }>(
          `UPDATE visit v SET changes = $3, changed = $4, counted_at = now()
           FROM (SELECT changes FROM visit WHERE client_id = $1 AND id = $2 FOR UPDATE) former
           WHERE v.client_id = $1 AND v.id = $2 RETURNING former.changes`,
          [c.clientId, period.id, changes, changed],
        )
        if (changes === former?.changes) return
        const administrators = await findUsersWithRoles(c.work.tx, c.clientId, ['ROLE_CLIENT_ADMIN'])
        await notifyUsers(
          c,
          impersonationNotice,
          administrators.map(({ userId }) => ({ to: userId, about: period.id })),
        )
      },
    ),
})

/**
 * Evidence of impersonations, which the portal logs outside a client's transactions: each is sealed a few minutes after
 * its start. Its end and its number of changes are recorded later and not sealed.
 */
const impersonationEvidence = defineSavedEvidence({
  of: impersonationPeriod,
  named: ({ visitor_name, as_username }) => `the impersonation of ${String(as_username)} by ${String(visitor_name)}`,
  claims: "t.started_at < now() - interval '10 minutes'",
  without: ['writes_from', 'write_reason', 'changes', 'changed', 'counted_at', 'ended_at', 'until'],
})

const sealImpersonations = schedule({
  name: 'identity.seal-impersonations',
  every: { minutes: 5 },
  run: (engine) => sealUnsealedRecords(engine, impersonationEvidence),
})

const impersonations = feature({
  evidence: [impersonationEvidence],
  schedules: [notifyOfChanges, sealImpersonations],
  notifications: [impersonationNotice],
})

const securityLog = feature({
  resources: [securityEvent],
  schedules: [trimSecurityLog],
})

interface Roles {
  readonly categories: readonly { readonly name: string; readonly internal: boolean }[]
  readonly roles: readonly {
    readonly name: string
    readonly label: string
    readonly description: string
    readonly category: string
    readonly internal: boolean
  }[]
}

/** Reference data: the roles and their categories. */
const roleReference: ReferenceData = {
  name: 'roles',
  edition: 8,
  load: async (c) => {
    const { categories, roles }: Roles = readReferenceFile('roles.json')
    await insertMissingRows(c, roleCategory, 'name', categories)
    const ids = new Map((await c.find(roleCategory, {})).map((known) => [known.name, known.id]))
    await insertMissingRows(
      c,
      role,
      'name',
      roles.map(({ category, ...one }) => ({ ...one, category: ids.get(category) ?? null })),
    )
  },
}

/**
 * Changing a role requires recent proof of identity, because the change affects everybody who holds the role. Internal
 * roles reach all clients, so that no change makes them assignable to clients' users.
 */
const roleBehaviour = behaviour(role, {
  beforeSave: async (c) => {
    await requireCurrentProof(c)
    if (c.changes.internal !== undefined)
      throw problem.conflict(
        c.before?.internal
          ? 'This role gives access to the provider’s work, so it can’t be assigned to clients’ users.'
          : 'This role is for clients’ users, so it can’t be made internal. Retire it to stop assigning it.',
      )
    return undefined
  },
})

const roles = feature({
  resources: [role, roleCategory],
  behaviours: [roleBehaviour],
  referenceData: [roleReference],
})

export const identityModule = joinFeatures('identity', [
  { navigation: IDENTITY_NAV },
  people,
  roles,
  sessions,
  secondFactor,
  signingPin,
  passwords,
  portal,
  securityLog,
  confidentialReads,
  impersonations,
])
