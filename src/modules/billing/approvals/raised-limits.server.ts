import type { Resource, RowOf } from '#kernel/resource.ts'
import { authorOf } from '#kernel/roles.ts'
import { formatIsoDateAsUk, LONDON_TIME_ZONE } from '#kernel/time.ts'
import { user } from '#modules/identity/people/user.ts'
import { notifyUsers } from '#modules/portal/notices/notify.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { declareNotificationType, feature } from '#server/engine/module.ts'
import { schedule } from '#server/engine/schedule.ts'
import type { Context } from '#server/engine/types.ts'
import { processRowsForAllClients } from '#server/jobs/remind.ts'
import { billingUrls } from '../billing-urls.ts'
import { quoteSettings } from '../emails/settings.ts'
import { paymentSettings } from '../payments/charge.ts'
import { describeRaisedLimits, FINANCE_ROLES, PRICING_ROLES, type RaisedLimits } from '../rights.ts'

const MONEY_ROLES = [...new Set([...FINANCE_ROLES, ...PRICING_ROLES])]

const PAYMENT_LIMITS = ['refundLimit'] as const
const QUOTE_LIMITS = ['discountLimitPercent', 'discountLimitAmount'] as const

type Settings = Readonly<Record<string, unknown>> & { readonly raisedLimits: RaisedLimits }

/**
 * Returns the values of a save that raises a limit: the present limit remains, and the raised one applies from the next
 * day in London, unless the present limit or a lower one is entered before then. A limit is lowered at once. A user
 * therefore can't raise a limit, use it and lower it again before others know.
 */
function delayRaises(
  limits: readonly string[],
  { before, changes, actor, now }: Pick<Context, 'actor' | 'now'> & { before: Settings | undefined; changes: object },
) {
  if (!before || actor.kind === 'system') return undefined
  const given = changes as Readonly<Record<string, number | undefined>>
  const set: Record<string, number> = {}
  const raised = { ...before.raisedLimits }
  let isRaised = false
  for (const name of limits) {
    const wanted = given[name]
    if (wanted === undefined) continue
    const present = Number(before[name])
    delete raised[name]
    if (wanted < present) continue
    set[name] = present
    if (wanted === present) continue
    raised[name] = wanted
    isRaised = true
  }
  if (!limits.some((name) => given[name] !== undefined)) return undefined
  const tomorrow = now.toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate().add({ days: 1 })
  return {
    ...set,
    raisedLimits: raised,
    ...(isRaised
      ? { raisedFrom: tomorrow.toString(), raiserName: authorOf(actor).name }
      : Object.keys(raised).length
        ? {}
        : { raisedFrom: null, raiserName: '' }),
  }
}

const raisedNotice = (of: typeof paymentSettings | typeof quoteSettings, kind: string, what: string) =>
  declareNotificationType({
    kind: `limits.${kind}`,
    label: `Higher approval limits for ${kind}`,
    for: MONEY_ROLES,
    icon: 'money',
    of: of as typeof paymentSettings,
    words: ({ raiserName, raisedFrom, raisedLimits }) =>
      raisedFrom
        ? `${raiserName} set a higher approval limit for ${what}: ${describeRaisedLimits(raisedLimits)} from ${formatIsoDateAsUk(raisedFrom)}`
        : `The approval limit for ${what} was changed`,
    path: (_, __, { clientId }) => billingUrls(clientId).approvals,
    mail: true,
  })

const refundLimitNotice = raisedNotice(paymentSettings, 'refunds', 'refunds, write-offs and balance changes')
const discountLimitNotice = raisedNotice(quoteSettings, 'discounts', 'discounts')

async function notifyMoneyPeople(c: Context, kind: typeof refundLimitNotice, id: number): Promise<void> {
  const people = await c.withoutPermissionCheck('notify everyone who handles money').find(user, { isRetired: false })
  const told = people.filter(({ roles }) => MONEY_ROLES.some((role) => roles.includes(role)))
  await notifyUsers(
    c,
    kind,
    told.map((one) => ({ to: one.id, about: id })),
  )
}

const isRaise = (raised: RaisedLimits | undefined) => Object.keys(raised ?? {}).length > 0

const paymentSettingsBehaviour = behaviour(paymentSettings, {
  beforeSave: (c) => delayRaises(PAYMENT_LIMITS, c),
  afterSave: async (c) => {
    if (c.before && isRaise(c.changes.raisedLimits)) await notifyMoneyPeople(c, refundLimitNotice, c.before.id)
  },
})

const quoteSettingsBehaviour = behaviour(quoteSettings, {
  beforeSave: (c) => delayRaises(QUOTE_LIMITS, c),
  afterSave: async (c) => {
    if (c.before && isRaise(c.changes.raisedLimits)) await notifyMoneyPeople(c, discountLimitNotice, c.before.id)
  },
})

async function applyRaises<R extends Resource>(c: Context, r: R, row: RowOf<R> & Settings): Promise<void> {
  await c.set(r, row, { ...row.raisedLimits, raisedLimits: {}, raisedFrom: null, raiserName: '' } as never, 'raise')
}

/** Brings raised limits into force on the day after they were raised. */
const raiseLimits = schedule({
  name: 'billing.raise-limits',
  every: { minutes: 15 },
  run: async (engine) => {
    const today = engine.clock.now().toZonedDateTimeISO(LONDON_TIME_ZONE).toPlainDate().toString()
    const condition = (next: (value: unknown) => string) => `t.raised_from <= ${next(today)}::date`
    const sweep = { where: {}, reason: 'billing.raise-limits', condition }
    await processRowsForAllClients(engine, { ...sweep, of: paymentSettings }, (c, row) =>
      applyRaises(c, paymentSettings, row),
    )
    await processRowsForAllClients(engine, { ...sweep, of: quoteSettings }, (c, row) =>
      applyRaises(c, quoteSettings, row),
    )
  },
})

export const raisedLimits = feature({
  behaviours: [paymentSettingsBehaviour, quoteSettingsBehaviour],
  notifications: [refundLimitNotice, discountLimitNotice],
  schedules: [raiseLimits],
})
