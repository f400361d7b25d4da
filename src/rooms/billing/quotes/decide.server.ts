import { problem, violation } from '#kernel/errors.ts'
import { readSignature, type SignatureGiven, signatureProblems } from '#kernel/signature.ts'
import { type Instant, ukDate } from '#kernel/time.ts'
import { paymentsWords } from '../lines/sum.ts'
import { closedSentence, stateOf } from '../paper/state.ts'
import { type QuoteAccepted, quoteAccepted, quoteDeclined } from './events.ts'
import { type QuoteActions, type QuoteRow, settleLead, tellContact } from './facts.server.ts'
import { releaseCoupon, spendCoupon } from './redemption.server.ts'
import { statusOf } from './status.ts'

/** Accepts by signature. Once: a second click, or the same request again, changes nothing. */
export const accept: QuoteActions['accept'] = async (c) => {
  const { row, input, now } = c
  const given = checkedSignature(input.signature)
  if (isDecided(row, now, 'accepted')) return {}
  await spendCoupon(c, row)
  await tellContact(
    c,
    row,
    `The customer accepted quote ${row.reference} (${paymentsWords(row)}), signed by ${given.name}.`,
  )
  const decidedAt = now.toString()
  await settleLead(c, row, { wonAt: decidedAt, callbackDate: null, expiry: null }, 'won')
  await c.after(quoteAccepted, eventOf(row, decidedAt))
  const at = now.toString({ smallestUnit: 'second' })
  const signature = { ...given, at, address: input.address, agent: input.agent }
  return { set: { status: statusOf('accepted'), decidedAt, decidedBy: given.name, signature } }
}

/** Declines, with the reason if there is one. Once, as it is accepted. */
export const decline: QuoteActions['decline'] = async (c) => {
  const { row, now } = c
  const { reason, name } = c.input
  if (isDecided(row, now, 'declined')) return {}
  await releaseCoupon(c, row)
  await tellContact(
    c,
    row,
    `The customer declined quote ${row.reference} (${paymentsWords(row)})${reason ? `: ${reason}` : '.'}`,
  )
  if (row.owner !== null) await c.after(quoteDeclined, { quote: row.id, reason, name })
  return { set: { status: statusOf('declined'), decidedAt: now.toString(), decidedBy: name, reason } }
}

/** An open quote that is past its day becomes an expired one, and its contact's timeline says so. */
export const expire: QuoteActions['expire'] = async (c) => {
  const { row, now } = c
  if (row.state !== 'open' || row.expiresAt === null || stateOf(row, now) !== 'expired') return {}
  const day = ukDate(Temporal.Instant.from(row.expiresAt))
  await releaseCoupon(c, row)
  await tellContact(c, row, `Quote ${row.reference} (${paymentsWords(row)}) expired on ${day} without an answer.`)
  return { set: { status: statusOf('expired') } }
}

/** Was it decided so already? Throws 409 with what has become of a quote that can't be decided any more. */
function isDecided(row: QuoteRow, now: Instant, as: 'accepted' | 'declined'): boolean {
  const state = stateOf(row, now)
  if (state !== as && state !== 'open') throw problem.conflict(closedSentence(state, row))
  return state === as
}

function checkedSignature(value: unknown): SignatureGiven {
  const given = readSignature(value)
  if (!given) throw problem.invalid([violation('signature', 'Please sign, or type your name')])
  const wrong = signatureProblems(given)
  if (wrong.length) throw problem.invalid(wrong.map((v) => ({ ...v, propertyPath: `signature.${v.propertyPath}` })))
  return given
}

const eventOf = (row: QuoteRow, acceptedAt: string): QuoteAccepted => ({
  ...row,
  quote: row.id,
  plans: row.plans.flatMap((line) => (line.plan === null ? [] : [{ ...line, plan: line.plan }])),
  acceptedAt,
})
