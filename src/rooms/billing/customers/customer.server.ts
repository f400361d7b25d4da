import { problem, violation } from '#kernel/errors.ts'
import { idByIri } from '#kernel/iri.ts'
import { iriOf } from '#kernel/resource.ts'
import { author } from '#kernel/roles.ts'
import { contact } from '#rooms/crm/contacts/contact.ts'
import { behaviour, type Context } from '#server/behaviour.ts'
import { couponWords } from '../catalogue/coupon-rules.ts'
import { couponTerms, redeem } from '../catalogue/redeem.server.ts'
import { COUPON_CHANGED, noteOnContact } from './contact-note.server.ts'
import { customer } from './customer.ts'
import { type Metadata, metadataProblems, sameMetadata } from './metadata.ts'

type Values = Record<string, unknown>

export const customerBehaviour = behaviour(customer, {
  prepare: async (c) => {
    const { before, changes, values } = c
    const more: Values = {}
    const metadata = metadataOf(c, before?.metadata)
    more.metadata = metadata
    const found = before ? undefined : await contactOf(c, (metadata ?? values.metadata) as Metadata)
    if (found) more.contact = found
    const linked = found ?? changes.contact ?? null
    if (linked !== null && linked !== before?.contact) await free(c, linked)
    if (typeof changes.accountBalanceChange === 'number')
      more.accountBalance = balance(Number(before?.accountBalance ?? 0), changes.accountBalanceChange)
    else more.accountBalanceChange = undefined
    if (typeof changes.coupon === 'number') await redeem(c, changes.coupon)
    if (before && 'currency' in changes && Number(before.accountBalance) !== 0)
      throw problem.invalid([violation('currency', 'The currency can only change while the account balance is nil')])
    return more
  },
  saved: async (c) => {
    const { before, changes, written } = c
    if (changes.contact !== undefined) {
      const { id } = before ?? (await written.saved())
      if (before?.contact) await link(c, before.contact, null)
      if (changes.contact !== null) await link(c, changes.contact, iriOf(customer, id))
    }
    if (before && 'coupon' in changes && before.contact)
      await noteOnContact(
        c,
        Number(before.contact),
        `Coupon changed from ${await named(c, before.coupon)} to ${await named(c, changes.coupon)}.`,
        COUPON_CHANGED,
      )
  },
  actions: {
    balance: ({ row, input }) => ({
      set: {
        accountBalance: balance(Number(row.accountBalance), Number(input.change)),
        ...(input.paymentReceivedDate ? { paymentReceivedDate: input.paymentReceivedDate } : {}),
      },
    }),
    detachCoupon: async (c) => {
      const { row } = c
      if (row.coupon === null) throw problem.conflict('This customer has no coupon to take off.')
      if (row.contact !== null)
        await noteOnContact(
          c,
          Number(row.contact),
          `Coupon changed from ${await named(c, row.coupon)} to no coupon.`,
          COUPON_CHANGED,
        )
      return { set: { coupon: null } }
    },
  },
})

/** The metadata to store; `undefined` where it stays as it is. Who made the customer is not for anybody to say. */
function metadataOf({ changes, values, actor }: Context & { changes: Values; values: Values }, old: unknown) {
  if (old !== undefined && !('metadata' in changes)) return undefined
  const wrong = metadataProblems(values.metadata ?? {})
  if (wrong.length) throw problem.invalid(wrong)
  const createdBy = old === undefined ? author(actor).username : (old as Metadata).createdBy
  const { createdBy: _, ...given } = (values.metadata ?? {}) as Metadata
  const next = createdBy === undefined ? given : { ...given, createdBy }
  return old !== undefined && sameMetadata(old, next) ? undefined : next
}

/** The contact that the metadata names, for callers that send no link. */
async function contactOf({ changes, work }: Context & { changes: Values }, metadata: Metadata) {
  if (changes.contact !== undefined && changes.contact !== null) return undefined
  const given = metadata.contact_uri || (metadata.contact_id ? `${contact.url}/${metadata.contact_id}` : undefined)
  if (!given) return undefined
  const id = idByIri(contact, String(given))
  if (id === undefined) throw problem.invalidIri(given)
  const [row] = await work.tx.rows<{ id: number }>('SELECT id FROM contact WHERE client_id = $1 AND id = $2', [
    work.clientId,
    id,
  ])
  if (!row) throw problem.unknownTarget(given)
  return row.id
}

/** Two people who make a customer of one contact: the second is told, and nothing is doubled. */
async function free({ work }: Context, id: number): Promise<void> {
  await work.tx.rows('SELECT 1 FROM contact WHERE client_id = $1 AND id = $2 FOR UPDATE', [work.clientId, id])
  const [other] = await work.tx.rows<{ id: number }>(
    'SELECT id FROM customer WHERE client_id = $1 AND contact_id = $2 AND NOT retired',
    [work.clientId, id],
  )
  if (other)
    throw problem.invalid([
      violation('contact', `This contact is customer ${other.id} already. Open that customer instead.`),
    ])
}

const link = (c: Context, id: number, iri: string | null) =>
  c.byRight('the contact says which customer it has become').change(contact, id, { customer: iri })

function balance(now: number, change: number): number {
  const next = now + change
  if (!Number.isSafeInteger(next))
    throw problem.invalid([violation('accountBalanceChange', 'The balance would be too large')])
  return next
}

async function named(c: Context, id: unknown): Promise<string> {
  const terms = typeof id === 'number' ? await couponTerms(c, id) : undefined
  return terms ? `${terms.name} (${couponWords(terms)})` : 'no coupon'
}
