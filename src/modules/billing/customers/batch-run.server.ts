import { z } from 'zod'
import { Problem, problem, violation } from '#kernel/errors.ts'
import type { Actor } from '#kernel/roles.ts'
import { client } from '#modules/portal/clients/client.ts'
import type { Refusal, StepResult } from '#server/engine/batch-job.ts'
import type { Context, Engine } from '#server/engine/types.ts'
import { defineBatchJob } from '#server/jobs/define-batch-job.ts'
import { customer } from './customer.ts'
import { availableLeadOf, customerFieldsFrom } from './customer-from.server.ts'

/** Clients per step. */
const PORTION = 25

interface Client {
  readonly id: number
  readonly company: string
}

/** A client with the values of its new customer, undefined if it can't become one. */
interface Candidate extends Client {
  readonly values: ReturnType<typeof valuesOf> | undefined
  readonly refused: Problem | undefined
}

/** Creates a customer for each client that has none, as the user who started it; a dry run only reports the result. */
export const customerRun = defineBatchJob({
  kind: 'billing.customer-batch',
  title: 'Create customers from clients',
  queue: 'bulk',
  as: 'starter',
  oneAtATime: true,
  input: z.object({ dryRun: z.boolean() }),
  /** ID of the last client processed. */
  cursor: z.int(),
  steps: async function* (engine, run, from, actor) {
    for (let last = from ?? 0; ; ) {
      const clients = await clientsAfter(engine, run.clientId, last)
      const end = clients.at(-1)
      if (!end) return
      const candidates: Candidate[] = []
      for (const row of clients) candidates.push(await candidateOf(engine, actor, row))
      yield { cursor: end.id, execute: (c) => take(c, candidates, run.input.dryRun) }
      last = end.id
    }
  },
})

/** Condition for the provider's clients without a customer. */
export const WITHOUT_CUSTOMER_SQL =
  'c.id > 0 AND NOT c.retired AND NOT EXISTS (SELECT 1 FROM customer k WHERE k.client_id = $1 AND k.account_id = c.id AND NOT k.retired)'

const clientsAfter = (engine: Engine, clientId: number, last: number): Promise<Client[]> =>
  engine.db.tx('system', (tx) =>
    tx.rows<Client>(
      `SELECT c.id, c.company FROM client c WHERE ${WITHOUT_CUSTOMER_SQL} AND c.id > $2 ORDER BY c.id LIMIT ${PORTION}`,
      [clientId, last],
    ),
  )

async function candidateOf(engine: Engine, actor: Actor, row: Client): Promise<Candidate> {
  try {
    const account = await engine.one(client, actor, row.id)
    const lead = await availableLeadOf(engine, actor, row.id)
    const values = valuesOf(row.id, lead?.id ?? null, customerFieldsFrom(lead, account))
    if (values.email) return { ...row, values, refused: undefined }
    const sentence = 'This client has no e-mail address. Enter one in the client’s details.'
    return { ...row, values: undefined, refused: problem.invalid([violation('', sentence, 'required')]) }
  } catch (e) {
    if (e instanceof Problem) return { ...row, values: undefined, refused: e }
    throw e
  }
}

const valuesOf = (
  account: number,
  contact: number | null,
  { email, metadata }: ReturnType<typeof customerFieldsFrom>,
) => ({
  email: email ?? undefined,
  client: account,
  contact,
  metadata,
})

/** Each client in its own savepoint: a refusal leaves nothing behind and stops no other. */
async function take(c: Context, candidates: readonly Candidate[], dryRun: boolean): Promise<StepResult> {
  const refused: Refusal[] = []
  for (const { id, company, values, refused: already } of candidates) {
    const why = already ?? (dryRun || !values ? undefined : await make(c, id, values))
    if (why) refused.push({ line: id, about: company, reason: why.message, code: why.code })
  }
  return { done: candidates.length - refused.length, refused }
}

async function make(c: Context, id: number, values: ReturnType<typeof valuesOf>): Promise<Problem | undefined> {
  const [other] = await c.find(customer, { client: id, retired: false })
  if (other)
    return problem.invalid([violation('', `This client became customer ${other.id} in the meantime.`, 'duplicate')])
  const made = await c.attempt(() => c.create(customer, values), { resource: customer })
  return 'refused' in made ? made.refused : undefined
}
