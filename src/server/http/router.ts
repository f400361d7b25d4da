import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** What is done by one method at an address. */
interface Address {
  readonly endpoint: Endpoint
  /** As logs and the documentation write it, `/api/crm/contacts/:id`: what stands in its place may be a secret. */
  readonly pattern: string
  /** What its parts are called that may be anything, in their order. */
  readonly names: readonly string[]
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers OPTIONS at an address with the methods that it has, every method that it has not with 405, and any other address with 404. */
    answerOthers: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
  interface FastifyRequest {
    /** What is asked for, where it is one of the API's addresses. */
    address: Address | undefined
  }
}

/** A place in the tree of addresses. */
interface Place {
  readonly named: Map<string, Place>
  /** Where the next part may be anything. */
  any?: Place
  /** What is answered there, by method; `undefined` what the server's own routes answer. */
  readonly methods: Map<string, Address | undefined>
}

const place = (): Place => ({ named: new Map(), methods: new Map() })

/** An endpoint's address as routes are written. */
export const routeAt = ({ url }: Pick<Endpoint, 'url'>): string => url.replace(/\{(\w+)\}/g, ':$1')

const PARAMETER = /^:(\w+)$/
/** No part of an address that may be anything is longer. */
const LONGEST = 500

/** The pattern of what was asked for, without what may be secret in it. */
export const patternOf = ({ address, routeOptions }: FastifyRequest): string | undefined =>
  address?.pattern ?? routeOptions?.url

/**
 * All addresses of the API behind one route of the server. A route for each of a thousand addresses and methods was half of what a start
 * takes, and what an address has not got has to be known besides: OPTIONS and 405 name it.
 */
export class Addresses {
  private readonly root = place()

  /** Learns also of the routes that the server declares itself from now on. */
  constructor(app: FastifyInstance) {
    app.decorateRequest('address', undefined)
    app.addHook('onRoute', ({ url, method }) => {
      if (!url.includes('*')) for (const one of [method].flat()) this.at(url).methods.set(one, undefined)
    })
    app.decorate('answerOthers', (request, reply) => this.answerOthers(request, reply))
  }

  /** Throws where two would answer the same. */
  add(endpoint: Endpoint): void {
    const pattern = routeAt(endpoint)
    const { methods } = this.at(pattern)
    if (methods.has(endpoint.method)) throw new Error(`Two would answer ${endpoint.method} ${pattern}`)
    const names = pattern.split('/').flatMap((part) => PARAMETER.exec(part)?.[1] ?? [])
    methods.set(endpoint.method, { endpoint, pattern, names })
  }

  /** Looks up what is asked for, and gives the request its address and parameters. The server has seen to it that the path can be decoded. */
  look(request: FastifyRequest): void {
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const values: string[] = []
    const address = walk(this.root, partsOf(request.url), ({ methods }) => methods.get(method), values)
    if (!address || values.some((value) => value.length > LONGEST)) return
    request.address = address
    request.params = Object.fromEntries(address.names.map((name, n) => [name, values[n]]))
  }

  private answerOthers(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known = walk(this.root, partsOf(request.url), ({ methods }) => (methods.size ? methods : undefined))
    if (!known) throw problem.notFound()
    const own = [...known.keys()].filter((m) => m !== 'HEAD')
    // HEAD goes with GET, and is told of behind the methods that somebody wrote.
    const allow = [...own, ...(own.includes('GET') ? ['HEAD'] : []), 'OPTIONS']
    // It looks like one of ours: a part is too long.
    if (allow.slice(0, -1).includes(request.method)) throw problem.notFound()
    if (request.method !== 'OPTIONS') throw problem.method(allow)
    return reply.header('allow', allow.join(', ')).code(204).send()
  }

  private at(pattern: string): Place {
    let at = this.root
    for (const part of pattern.split('/')) {
      const isAny = PARAMETER.test(part)
      if (!isAny && part.includes(':')) throw new Error(`${pattern} has a part of which only some may be anything`)
      const next = (isAny ? at.any : at.named.get(part)) ?? place()
      if (isAny) at.any = next
      else at.named.set(part, next)
      at = next
    }
    return at
  }
}

/** The parts of an address, as they were meant. */
function partsOf(url: string): string[] {
  const [path = ''] = url.split(/[?#]/, 1)
  const parts = path.split('/')
  return path.includes('%') ? parts.map(decodeURIComponent) : parts
}

/**
 * Goes through the tree to the first place of which something can be taken: a part that is named comes before one that may be anything,
 * unless it leads to none. `values` are the parts that may be anything, on the way there.
 */
function walk<T>(
  at: Place,
  parts: readonly string[],
  take: (at: Place) => T | undefined,
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
