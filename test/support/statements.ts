import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PgConnection } from '#server/db/connection.ts'
import { requestPattern } from '#server/http/router.ts'

/**
 * Maximum number of statements that a request sends to the database. A request with more of them holds a connection for
 * as long as the other users wait for it, and needs fewer statements with many rows each, or a job.
 */
const MAX_STATEMENTS = 100

/** Requests that may send more statements, each for the reason given. */
const LIMITS: Readonly<Record<string, number>> = {
  // A file of 20,000 lines is written as one statement for every 50 of them.
  'POST /api/financial/bank_statements': 450,
  // Several short transactions before and after the calls to the card service. The statements of the test service count.
  'POST /api/financial/payments/:token/pay': 130,
  // A pack that is typeset for the first time reads about forty values of each of its documents, without a transaction.
  'GET /api/safety/shared_packs/:token/pdf': 2000,
  'GET /api/safety/documents/:id/pack': 2000,
  'POST /api/safety/document/send': 2000,
  'POST /api/safety/asked_rams/:token/packs/:id': 2000,
}

interface StatementCount {
  statements: number
}

const current = new AsyncLocalStorage<StatementCount>()

// oxlint-disable-next-line typescript/unbound-method -- called with the connection below
const { ask } = PgConnection.prototype
PgConnection.prototype.ask = function countAndAsk(send) {
  const count = current.getStore()
  if (count) count.statements++
  return ask.call(this, send) as never
}

const excessive: string[] = []

/** Counts the database statements of every request of a portal. */
export function watchStatementCounts(app: FastifyInstance): void {
  const counts = new WeakMap<FastifyRequest, StatementCount>()
  const countOf = (request: FastifyRequest): StatementCount => {
    const count = counts.get(request) ?? { statements: 0 }
    counts.set(request, count)
    return count
  }
  // Reading the body leaves the asynchronous context, so that the count is entered again after it.
  app.addHook('onRequest', (request, _reply, done) => current.run(countOf(request), done))
  app.addHook('preValidation', (request, _reply, done) => current.run(countOf(request), done))
  app.addHook('onResponse', async (request) => {
    const { statements } = countOf(request)
    const operation = `${request.method} ${requestPattern(request)}`
    if (statements > (LIMITS[operation] ?? MAX_STATEMENTS)) excessive.push(`${operation}: ${statements} statements`)
  })
}

/** Throws if a request of a test sent too many statements to the database. */
export function expectFewStatements(): void {
  const [one] = excessive.splice(0)
  if (one) throw new Error(`A request sent too many statements to the database: ${one}`)
}
