import { createPortalEngine } from '#app/engine.ts'
import { modules } from '#app/modules.ts'
import { createSystemActor } from '#kernel/roles.ts'
import { financeRequest } from '#modules/billing/approvals/finance-request.ts'
import type { Config } from '#server/config.ts'
import type { Db } from '#server/db/db.ts'
import { createEngine } from '#server/engine/engine.ts'
import type { Engine } from '#server/engine/types.ts'
import { medianTime } from './times.ts'

/** Number of untimed rounds, during which the server and the database compile frequently run code. */
const WARM = 300
const TIMED = 1500
const GOAL_MS = 0.3

/**
 * Measures what the seal adds to a write: saves the same record with an engine that seals each save, and with one whose
 * modules declare no evidence. Alternates the measurements, so that the load of the machine affects both.
 */
export async function measureSealing(db: Db, config: Config, clientId: number): Promise<void> {
  const [customer] = await db.tx('system', (tx) =>
    tx.rows<{ id: number }>(
      "INSERT INTO customer (client_id, email) VALUES ($1, 'bench@bench.example') RETURNING id::int",
      [clientId],
    ),
  )
  const by = { actor: createSystemActor(clientId, 'measure the cost of a seal'), requestId: 'bench' }
  const write = (engine: Engine) =>
    engine.inTenant(clientId, by, async (c) => {
      await c.create(financeRequest, {
        kind: 'balance',
        customer: customer?.id ?? 0,
        amount: 1,
        currency: 'GBP',
        reason: 'Bench',
        createdAt: c.now.toString(),
      })
      return () => undefined
    })
  const withoutEvidence = modules.map((one) => ({ ...one, evidence: [] }))
  const ways = [
    { engine: createEngine(db, config, withoutEvidence), times: [] as number[] },
    { engine: createPortalEngine(db, config), times: [] as number[] },
  ]
  for (let n = 0; n < WARM + TIMED; n++)
    for (const { engine, times } of n % 2 ? ways : ways.toReversed()) {
      const began = performance.now()
      await write(engine)
      if (n >= WARM) times.push(performance.now() - began)
    }
  const [plain = 0, sealed = 0] = ways.map(({ times }) => medianTime(times))
  const cost = sealed - plain
  console.log('\n| a write, median in ms | not sealed | sealed | cost of the seal | goal |\n|---|---|---|---|---|')
  console.log(
    `| finance request | ${plain.toFixed(2)} | ${sealed.toFixed(2)} | **${cost.toFixed(2)}**${cost > GOAL_MS ? ' (short)' : ''} | ≤ ${GOAL_MS} |`,
  )
}
