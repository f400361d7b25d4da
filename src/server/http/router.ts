import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** One method of an address. */
interface Address {
  readonly endpoint: Endpoint
  /** As in logs and the documentation, `/api/crm/contacts/:id`: the parameter itself may be secret. */
  readonly pattern: string
  /** The names of its parameters, in their order. */
  readonly names: readonly string[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers OPTIONS with the methods of an address, other methods with 405, and unknown addresses with 404. */
    answerOthers: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
  interface FastifyRequest {
    /** The requested address, where it is one of the API's. */
    address: Address | undefined
  }
}

/** A node of the tree of addresses. */
interface Node {
  readonly named: Map<string, Node>
  /** The node for a parameter. */
  any?: Node
  /** Its addresses by method; `undefined` for a route of the server's own. */
  readonly methods: Map<string, Address | undefined>
}

const newNode = (): Node => ({ named: new Map(), methods: new Map() })

/** An endpoint's address in the notation of routes. */
export const routeAt = ({ url }: Pick<Endpoint, 'url'>): string => url.replace(/\{(\w+)\}/g, ':$1')

const PARAMETER = /^:(\w+)$/
/** Parameters in addresses are no longer. */
const MAX_PARAMETER_LENGTH = 500

/** The pattern of the requested address, without the parameters, which may be secret. */
export const patternOf = ({ address, routeOptions }: FastifyRequest): string | undefined =>
  address?.pattern ?? routeOptions?.url

/**
 * All addresses of the API behind one route of the server. A route for each of a thousand addresses and methods took half of a start; and
 * OPTIONS and 405 name the methods of an address.
 */
export class Router {
  private readonly root = newNode()

  /** Also learns of the routes that the server declares itself from now on. */
  constructor(app: FastifyInstance) {
    app.decorateRequest('address', undefined)
    app.addHook('onRoute', ({ url, method }) => {
      if (!url.includes('*')) for (const one of [method].flat()) this.at(url).methods.set(one, undefined)
    })
    app.decorate('answerOthers', (request, reply) => this.answerOthers(request, reply))
  }

  /** Throws for two endpoints of one method and address. */
  add(endpoint: Endpoint): void {
    const pattern = routeAt(endpoint)
    const { methods } = this.at(pattern)
    if (methods.has(endpoint.method)) throw new Error(`Two would answer ${endpoint.method} ${pattern}`)
    const names = pattern.split('/').flatMap((part) => PARAMETER.exec(part)?.[1] ?? [])
    methods.set(endpoint.method, { endpoint, pattern, names })
  }

  /** Looks up a request's address and parameters. The server has checked that the path can be decoded. */
  look(request: FastifyRequest): void {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const values: string[] = []
    const address = walk(this.root, partsOf(request.url), ({ methods }) => methods.get(method), values)
    if (!address || values.some((value) => value.length > MAX_PARAMETER_LENGTH)) return
    request.address = address
    request.params = Object.fromEntries(address.names.map((name, n) => [name, values[n]]))
  }

  private answerOthers(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = walk(this.root, partsOf(request.url), ({ methods }) => (methods.size ? methods : undefined))
    if (!known) throw problem.notFound()
    const own = [...known.keys()].filter((m) => m !== 'HEAD')
    // HEAD goes with GET, and is listed behind the declared methods.
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
    // It matches but for a parameter that is too long.
    if (allow.slice(0, -1).includes(request.method)) throw problem.notFound()
    if (request.method !== 'OPTIONS') throw problem.method(allow)
    return reply.header('allow', allow.join(', ')).code(204).send()
  }

  private at(pattern: string): Node {
    let at = this.root
    for (const part of pattern.split('/')) {
      const isAny = PARAMETER.test(part)
      if (!isAny && part.includes(':')) throw new Error(`${pattern} has a part of which only some may be anything`)
      const next = (isAny ? at.any : at.named.get(part)) ?? newNode()
      if (isAny) at.any = next
      else at.named.set(part, next)
      at = next
    }
    return at
  }
}

/** The decoded parts of an address. */
function partsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  const parts = path.split('/')
  return path.includes('%') ? parts.map(decodeURIComponent) : parts
}

/**
 * Searches the tree for the first node with a result: named parts come before parameters, unless they lead to none. `values` are the
 * parameters on the way there.
 */
function walk<T>(
  at: Node,
  parts: readonly string[],
  take: (at: Node) => T | undefined,
  values: string[] = [],
  n = 0,
): T | undefined {
  const part = parts[n]
  if (part === undefined) return take(at)
  const named = at.named.get(part)
  const found = named && walk(named, parts, take, values, n + 1)
  if (found || !at.any || !part) return found
  const before = values.length
  values.push(part)
  const other = walk(at.any, parts, take, values, n + 1)
  if (!other) values.length = before
  return other
}
