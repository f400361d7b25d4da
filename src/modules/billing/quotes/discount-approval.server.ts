import { problem } from '#kernel/errors.ts'
import { author } from '#kernel/roles.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import type { Context } from '#server/engine/types.ts'
import { discountApproval } from './discount-approval.ts'
import { quote } from './quote.ts'

/** Decided by whoever looks after money and has neither asked for it nor written the quote. */
async function decide(c: Context, of: { readonly quote: number; readonly author: string }) {
  const decidedBy = author(c.actor).username
  const written = await c.get(quote, of.quote)
  if (decidedBy === of.author || decidedBy === written?.createdBy)
    throw problem.forbidden('Somebody else than who asked for it, or who wrote the quote, approves a discount.')
  return { decidedBy, decidedAt: c.now.toString() }
}

export const discountApprovalBehaviour = behaviour(discountApproval, {
  actions: {
    approve: async (c) => ({ set: { ...(await decide(c, c.row)), state: 'approved' as const } }),
    reject: async (c) => ({
      set: { ...(await decide(c, c.row)), state: 'rejected' as const, answer: c.input.reason.trim() },
    }),
  },
})
