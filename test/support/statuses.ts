import type { FastifyInstance } from 'fastify'
import type { Module } from '#server/engine/module.ts'
import { registryOf } from '#server/engine/registry.ts'
import type { Engine } from '#server/engine/types.ts'
import { requestPattern } from '#server/http/router.ts'
import { openApiDocument } from '#server/hydra/openapi.ts'
import { recordOperationStatuses } from './never-seen.ts'

/** Statuses by operation, such as `GET /api/crm/contacts/{id}`; `2XX` means any success. */
type Statuses = ReadonlyMap<string, ReadonlySet<string>>

const known = new WeakMap<Module, Statuses>()

/** Returns the documented statuses of a module's operations, cached by module. */
function promisedBy(module: Module): Statuses {
  const before = known.get(module)
  if (before) return before
  const resources = module.resources.filter((r) => r.allow.read !== 'nobody')
  const { paths } = openApiDocument('https://portal.example', 'Portal', [module], resources) as {
    paths: Record<string, Record<string, { responses?: object }>>
  }
  const promised = new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { responses }]) =>
        responses ? [[`${method.toUpperCase()} ${path}`, new Set(Object.keys(responses))] as const] : [],
      ),
    ),
  )
  known.set(module, promised)
  for (const [operation, statuses] of promised) recordOperationStatuses('promised', operation, [...statuses])
  return promised
}

/** Returns the name of the operation behind a server route, as in the API documentation. */
const operationOf = (method: string, url: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${url.replace(/:(\w+)/g, '{$1}').replace(/export[.]\w+$/, 'export.{format}')}`

const isPromised = (promised: ReadonlySet<string>, status: number): boolean =>
  promised.has(String(status)) || (promised.has('2XX') && status >= 200 && status < 300)

const seen = new Map<string, Set<number>>()
const unpromised: string[] = []

/** Records the status of every response of a portal, and compares it with the API documentation. */
export function watchResponseStatuses(app: FastifyInstance, engine: Engine): void {
  app.addHook('onResponse', async (request, reply) => {
    const pattern = requestPattern(request)
    if (pattern === undefined) return
    const operation = operationOf(request.method, pattern)
    const statuses = seen.get(operation) ?? new Set()
    seen.set(operation, statuses)
    if (statuses.has(reply.statusCode)) return
    statuses.add(reply.statusCode)
    recordOperationStatuses('seen', operation, [reply.statusCode])
    const promised = registryOf(engine)
      .modules.map((module) => promisedBy(module).get(operation))
      .find(Boolean)
    if (promised && !isPromised(promised, reply.statusCode)) unpromised.push(`${operation}: ${reply.statusCode}`)
  })
}

export function expectDocumentedStatuses(): void {
  const [one] = unpromised.splice(0)
  if (one) throw new Error(`The API’s documentation does not name what was answered: ${one}`)
}
