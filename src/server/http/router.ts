import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** One HTTP method for a URL pattern, with its endpoint. */
interface Address {
  readonly endpoint: Endpoint
  /**
   * Pattern for logs and the documentation, such as `/api/crm/contacts/:id`. It does not contain parameter values,
   * because they may be secret.
   */
  readonly pattern: string
  /** Names of the pattern's parameters, in order. */
  readonly names: readonly string[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Responds to requests that match no endpoint: to OPTIONS with the methods available for the URL, to other methods
     * with 405, and to unknown URLs with 404.
     */
    answerOthers: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
  interface FastifyRequest {
    /** Matched endpoint of the API, if there is one. */
    address: Address | undefined
  }
}

/** Node in the tree of URL patterns. */
interface Node {
  readonly named: Map<string, Node>
  /** Child node for a path parameter. */
  any?: Node
  /** Endpoints by method; `undefined` for the server's own routes. */
  readonly methods: Map<string, Address | undefined>
}

const newNode = (): Node => ({ named: new Map(), methods: new Map() })

/** Converts an endpoint's URL to the router's syntax: `{id}` → `:id`. */
export const toRoutePattern = ({ url }: Pick<Endpoint, 'url'>): string => url.replace(/\{(\w+)\}/g, ':$1')

const PARAMETER = /^:(\w+)$/
const MAX_PARAMETER_LENGTH = 500

/**
 * Returns the pattern of the requested URL. The pattern does not contain parameter values, because they may be secret.
 */
export const requestPattern = ({ address, routeOptions }: FastifyRequest): string | undefined =>
  address?.pattern ?? routeOptions?.url

/**
 * Routes all API requests through a single route of the server. A thousand separate routes would take half of the
 * start-up time. The router also knows each URL's methods, because OPTIONS and 405 responses list them.
 */
export class ApiRouter {
  private readonly root = newNode()

  /** Also registers the routes that the server declares itself later. */
  constructor(app: FastifyInstance) {
    app.decorateRequest('address', undefined)
    app.addHook('onRoute', ({ url, method }) => {
      if (!url.includes('*')) for (const one of [method].flat()) this.at(url).methods.set(one, undefined)
    })
    app.decorate('answerOthers', (request, reply) => this.answerOthers(request, reply))
  }

  /** Adds an endpoint. Throws if there already is one with the same method and URL pattern. */
  add(endpoint: Endpoint): void {
    const pattern = toRoutePattern(endpoint)
    const { methods } = this.at(pattern)
    if (methods.has(endpoint.method)) throw new Error(`Two endpoints are declared for ${endpoint.method} ${pattern}`)
    const names = pattern.split('/').flatMap((part) => PARAMETER.exec(part)?.[1] ?? [])
    methods.set(endpoint.method, { endpoint, pattern, names })
  }

  /** Finds the endpoint and parameters for a request. The server has already checked that the path can be decoded. */
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
    // HEAD is available wherever GET is, and is listed after the declared methods.
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
    // The URL supports this method. No endpoint was found only because a parameter is too long.
    if (allow.slice(0, -1).includes(request.method)) throw problem.notFound()
    if (request.method !== 'OPTIONS') throw problem.method(allow)
    return reply.header('allow', allow.join(', ')).code(204).send()
  }

  private at(pattern: string): Node {
    let at = this.root
    for (const part of pattern.split('/')) {
      const isAny = PARAMETER.test(part)
      if (!isAny && part.includes(':'))
        throw new Error(
          `${pattern} has a path segment that combines fixed text with a parameter, which is not supported`,
        )
      const next = (isAny ? at.any : at.named.get(part)) ?? newNode()
      if (isAny) at.any = next
      else at.named.set(part, next)
      at = next
    }
    return at
  }
}

/** Returns the decoded segments of a URL's path. */
function partsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  const parts = path.split('/')
  return path.includes('%') ? parts.map(decodeURIComponent) : parts
}

/**
 * Searches the tree for the first node with a result. Named segments take precedence over parameters, unless they lead
 * to no result. The parameters found are added to `values`.
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
