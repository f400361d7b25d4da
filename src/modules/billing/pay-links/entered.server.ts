import { systemActor } from '#kernel/roles.ts'
import { schedule } from '#server/engine/schedule.ts'
import { type CardRequest, detachCard, saveEnteredCard } from '../cards/card.server.ts'
import { card } from '../cards/card.ts'
import { GatewayError } from '../cards/gateway.server.ts'
import { charge } from '../payments/charge.ts'

/** Minutes after which a card entry counts as abandoned. */
const LEFT = 10

/**
 * Decides about a card entered on the payment link: saved as the default if it has paid and the payer wanted it saved;
 * otherwise detached. Waits while its payment is pending.
 */
export async function finishEnteredCard(asked: CardRequest, id: number): Promise<void> {
  const { engine, actor, requestId } = asked
  const becomes = await engine.readIn(actor.clientId, WHY, async (c) => {
    const row = await c.get(card, id)
    if (!row || row.retired || row.kept === 'yes') return undefined
    const paid = await c.find(charge, { card: id })
    if (paid.some(({ state }) => state === 'pending')) return undefined
    return row.kept === 'ifPaid' && paid.some(({ state }) => state === 'succeeded') ? 'kept' : 'let go'
  })
  const change = { actor, requestId }
  if (becomes === 'kept')
    await engine.inTenant(actor.clientId, change, async (c) => {
      await saveEnteredCard(c, id)
      return () => undefined
    })
  if (becomes === 'let go')
    await detachCard({ ...asked, change }, id, { evenIfLost: true }).catch((e: unknown) => {
      // Tried again later if the payment service is unavailable.
      if (!(e instanceof GatewayError)) throw e
    })
}
const WHY = 'a card was entered to pay once'

/** Handles cards whose payment has finished since, or was never made. */
const settleLeft = schedule({
  name: 'cards-entered',
  every: { minutes: 5 },
  run: async (engine) => {
    const before = engine.clock.now().subtract({ minutes: LEFT }).toString()
    const left = await engine.db.tx('system', (tx) =>
      tx.rows<{ client: number; id: number }>(
        `SELECT client_id::int AS client, id::int AS id FROM card
         WHERE kept <> 'yes' AND NOT retired AND created_at <= $1::timestamptz ORDER BY client_id, id`,
        [before],
      ),
    )
    for (const { client, id } of left) {
      const change = { actor: systemActor(client, WHY), requestId: `card ${id}` }
      await finishEnteredCard({ engine, ...change, change }, id)
    }
  },
})

export const enteredCardSchedules = [settleLeft]
