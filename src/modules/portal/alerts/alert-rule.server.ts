import { problem, violation } from '#kernel/errors.ts'
import { packState } from '#kernel/packs.ts'
import { iriOf } from '#kernel/resource.ts'
import { type Actor, authorOf, hasRole, PROVIDER_CLIENT_ID, type Roles } from '#kernel/roles.ts'
import { composeEmail, defineEmail, emailGreeting, PORTAL_NAME_PLACEHOLDER } from '#kernel/system-email.ts'
import { user } from '#modules/identity/people/user.ts'
import { role } from '#modules/identity/roles/role.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { NotificationType } from '#server/engine/module.ts'
import { feature } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import { type Route, RouteResponse } from '#server/engine/route.ts'
import { hydraCollection } from '#server/http/list-route.ts'
import { consumeAccountEmailAllowance } from '../mail/claim.server.ts'
import { emailRequested } from '../mail/letter.ts'
import { ALERT_MANAGER_ROLES, ALERT_TEST_PATH, ALERTS_PATH, alertRule } from './alert-rule.ts'

/**
 * Returns true if the actor may set the company's defaults. At the provider this requires the user administrator role,
 * as it does for managing accounts.
 */
const keepsAlerts = (actor: Actor) =>
  hasRole(actor, actor.clientId === PROVIDER_CLIENT_ID ? 'ROLE_USER_ADMIN' : ALERT_MANAGER_ROLES)

const alertRuleBehaviour = behaviour(alertRule, {
  beforeSave: async (c) => {
    const { actor, before, changes, engine } = c
    if (!keepsAlerts(actor)) throw problem.forbidden()
    if (before && changes.kind !== undefined)
      throw problem.conflict('The notification type of a rule can’t be changed. Add a new rule for the other type.')
    const { kind = '' } = changes
    // A duplicate skips this check, so that it is reported as a duplicate even if its notification type no longer
    // exists.
    if (!before && !registryOf(engine).notifications.has(kind) && !(await c.exists(alertRule, { kind })))
      throw problem.invalid([violation('kind', 'There is no such type of notification', 'not_an_option')])
    return undefined
  },
})

const namesOf = (roles: Roles): readonly string[] => (typeof roles === 'string' ? [roles] : roles)

/** Returns true if anybody in the actor's company can receive this type of notification. */
const concerns = (actor: Actor, kind: NotificationType, internal: ReadonlySet<string>): boolean =>
  packState(actor, kind.of.pack) !== 'none' &&
  (actor.clientId === PROVIDER_CLIENT_ID || namesOf(kind.for).some((name) => !internal.has(name)))

const all: Route = {
  method: 'GET',
  path: ALERTS_PATH,
  title: 'List the notification types for the company’s users, with recipients and default channels',
  allow: ALERT_MANAGER_ROLES,
  listOf: 'objects',
  handle: async ({ engine, me }) => {
    if (!keepsAlerts(me)) throw problem.forbidden()
    const { roles, rules, people } = await engine.readIn(
      me.clientId,
      'read notification rules and recipients',
      async (c) => ({
        roles: await c.find(role, {}),
        rules: await c.find(alertRule, {}),
        people: await c.find(user, { isRetired: false }),
      }),
    )
    const internal = new Set(roles.flatMap((r) => (r.internal && r.name ? [r.name] : [])))
    const label = (name: string) =>
      name === 'member' ? 'Everybody' : (roles.find((r) => r.name === name)?.label ?? name)
    const kinds = [...registryOf(engine).notifications.values()].filter((kind) => concerns(me, kind, internal))
    return hydraCollection(
      kinds.map((kind) => {
        const names = namesOf(kind.for).filter((name) => me.clientId === PROVIDER_CLIENT_ID || !internal.has(name))
        const rule = rules.find((one) => one.kind === kind.kind)
        return {
          '@id': rule ? iriOf(alertRule, rule.id) : `${ALERTS_PATH}#${kind.kind}`,
          rule: rule?.id ?? null,
          kind: kind.kind,
          label: kind.label,
          icon: kind.icon,
          who: names.map(label),
          people: people.filter((p) => names.some((name) => name === 'member' || p.roles.includes(name))).length,
          bell: rule?.bell ?? true,
          daily: rule?.daily ?? kind.mail,
        }
      }),
    )
  },
}

const testEmail = defineEmail<{ readonly name: string }>({
  name: 'alert-test',
  title: 'Test e-mail to your own address',
  subject: () => `Test e-mail from the ${PORTAL_NAME_PLACEHOLDER} portal`,
  paragraphs: ({ name }) => [
    emailGreeting(name),
    'You asked for this test e-mail. It shows that e-mails from the portal reach you.',
  ],
  sample: { name: 'Ann Carter' },
})

const tryLetter: Route = {
  method: 'POST',
  path: ALERT_TEST_PATH,
  title: 'Send a test e-mail to your own address',
  allow: ALERT_MANAGER_ROLES,
  refuses: [422, 429],
  handle: async ({ engine, me, now, change }) => {
    if (!keepsAlerts(me)) throw problem.forbidden()
    if (me.original)
      throw problem.forbidden('Test e-mails are sent to a user’s own address. Switch back to your own account first.')
    return engine.inTenant(me.clientId, change(), async (c) => {
      const { email = '', name = '' } = (await c.get(user, me.userId)) ?? {}
      if (!email)
        throw problem.invalid([
          violation('email', 'You have no e-mail address yet. An administrator can add one under Settings > Users'),
        ])
      await consumeAccountEmailAllowance(c.work.tx, me, me.clientId, now, 1)
      await c.emit(emailRequested, {
        to: email,
        ...composeEmail(testEmail, { name }),
        author: authorOf(me).username,
      })
      return () => new RouteResponse(204)
    })
  },
}

const alertRoutes: readonly Route[] = [all, tryLetter]

export const alerts = feature({
  resources: [alertRule],
  behaviours: [alertRuleBehaviour],
  routes: alertRoutes,
  emails: [testEmail],
})
