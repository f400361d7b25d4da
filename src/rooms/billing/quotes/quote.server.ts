import { problem, violation } from '#kernel/errors.ts'
import { readId } from '#kernel/iri.ts'
import { idFromIri, type RowOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { textOf } from '#kernel/text.ts'
import { staff } from '#rooms/crm/staff/staff.ts'
import { user } from '#rooms/identity/people/user.ts'
import { behaviour, type Context } from '#server/behaviour.ts'
import type { Row } from '#server/data/plan.ts'
import { nextNumber } from '#server/data/sequences.ts'
import { type CouponTerms, whyNot } from '../catalogue/coupon-rules.ts'
import { couponTerms } from '../catalogue/redeem.server.ts'
import { settingsOf } from '../letters/settings.server.ts'
import { fillLines, type Lines } from '../lines/lines.server.ts'
import { LIST_NAMES } from '../lines/lines.ts'
import { quoteActions } from './actions.server.ts'
import { isOwnCoupon, summed } from './facts.server.ts'
import { quote, quoteNumbers } from './quote.ts'

type Values = Record<string, unknown>

export const quoteBehaviour = behaviour(quote, {
  prepare: async (c) => {
    const { before, changes, values, work, rows } = c
    if (before && before.state !== 'draft') throw problem.conflict(sealed(before))
    const more: Values = {}
    if ('customer' in changes) Object.assign(more, await fromCustomer(c))
    if ('ownedBy' in changes || !before) Object.assign(more, await ownerOf(c, textOf(changes.ownedBy)))
    if (!before) {
      more.number = (await nextNumber(c, quoteNumbers)).number
      if (changes.terms === undefined) more.terms = (await settingsOf(work)).terms
    }
    const whole: Values = { ...values, taxPercent: values.taxPercent ?? 20, ...more }
    const filled = await fillLines(work, textOf(whole.currency ?? 'GBP'), rows)
    const terms = typeof whole.coupon === 'number' ? await couponTerms(c, whole.coupon) : undefined
    if (terms && 'coupon' in changes) await usable(c, terms, whole)
    return { ...more, ...filled, ...summed(whole, linesOf(before, filled), terms ?? null) }
  },
  actions: quoteActions,
})

const sealed = (row: Row) =>
  row.state === 'open'
    ? `${textOf(row.reference)} has been sent and can't be changed any more. Make a new revision instead.`
    : `${textOf(row.reference)} is ${textOf(row.state)} and can't be changed any more. Make a copy of it instead.`

/** The lines as they will be. */
const linesOf = (before: RowOf<typeof quote> | undefined, filled: Readonly<Record<string, Values[]>>): Lines =>
  Object.fromEntries(LIST_NAMES.map((list) => [list, filled[list] ?? before?.[list] ?? []])) as unknown as Lines

/** A quote takes over what its customer already is. */
async function fromCustomer({
  work,
  changes,
  before,
}: Context & { changes: Values; before: Row | undefined }): Promise<Values> {
  if (typeof changes.customer !== 'number') return {}
  const [found] = await work.tx.rows<{
    contact: number | null
    company: string | null
    email: string
    currency: string
  }>(
    'SELECT contact_id AS contact, company_name AS company, email, currency FROM customer WHERE client_id = $1 AND id = $2',
    [work.clientId, changes.customer],
  )
  if (!found) return {}
  return {
    contact: found.contact,
    company: changes.company || found.company || '',
    emailTo: changes.emailTo || found.email,
    ...(changes.currency || before ? {} : { currency: found.currency }),
  }
}

/** The owner by username, or by the address of the user or member of staff; whoever makes the quote unless said. */
async function ownerOf({ work, actor }: Context, given: string): Promise<Values> {
  const me = author(actor).username
  const byStaff = given && idFromIri(staff, given)
  const byUser = given && idFromIri(user, given)
  const [found] = await work.tx.rows<{ id: number; username: string }>(
    readId(byStaff || byUser) !== undefined
      ? `SELECT id, username FROM staff WHERE client_id = $1 AND ${byStaff ? 'id' : 'user_id'} = $2::bigint`
      : 'SELECT id, username FROM staff WHERE client_id = $1 AND NOT tray AND lower(username) = lower($2)',
    [work.clientId, byStaff || byUser || given || me],
  )
  if (!found && given && given.toLowerCase() !== me.toLowerCase())
    throw problem.invalid([violation('ownedBy', `There is no member of staff called “${given}”`)])
  return { ownedBy: found?.username ?? me, owner: found?.id ?? null }
}

async function usable({ work, now }: Context, terms: CouponTerms & { id: number }, whole: Values): Promise<void> {
  const refused = whyNot(terms, {
    now,
    currency: textOf(whole.currency ?? 'GBP'),
    redeemed: await isOwnCoupon(work, whole.customer, terms.id),
  })
  if (refused) throw problem.invalid([violation('coupon', refused)])
}
