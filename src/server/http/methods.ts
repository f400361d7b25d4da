import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problem } from '#kernel/errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Answers OPTIONS at an address with the methods that it has, every method that it has not with 405, and any other address with 404. */
    answerOthers: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
  }
}

/** A place in the tree of addresses. */
interface Place {
  readonly named: Map<string, Place>
  /** Where the next part may be anything. */
  any?: Place
  /** What is answered there. */
  methods?: readonly string[]
}

const place = (): Place => ({ named: new Map() })

/** Learns from now on which methods each address has. To declare routes for all that an address has not would be most of a start. */
export function learnMethods(app: FastifyInstance): void {
  const root = place()
  app.addHook('onRoute', ({ url, method }) => {
    if (!url.includes('*')) note(root, url.split('/'), [method].flat())
  })
  app.decorate('answerOthers', (request, reply) => {
    const [path = ''] = request.url.split(/[?#]/, 1)
    const known = methodsAt(root, path.split('/'))
    if (!known) throw problem.notFound()
    // HEAD is declared beside GET, and told of behind the methods that somebody wrote.
    const allow = [...known.filter((m) => m !== 'HEAD'), ...known.filter((m) => m === 'HEAD'), 'OPTIONS']
    // The router leaves some out that look like one of ours: a part that is too long.
    if (known.includes(request.method)) throw problem.notFound()
    if (request.method !== 'OPTIONS') throw problem.method(allow)
    return reply.header('allow', allow.join(', ')).code(204).send()
  })
}

function note(root: Place, parts: readonly string[], methods: readonly string[]): void {
  let at = root
  for (const part of parts) {
    const next = (part.startsWith(':') ? at.any : at.named.get(part)) ?? place()
    if (part.startsWith(':')) at.any = next
    else at.named.set(part, next)
    at = next
  }
  at.methods = [...(at.methods ?? []), ...methods]
}

/** As the router looks: a part that is named comes before one that may be anything. */
function methodsAt(at: Place, [part, ...rest]: readonly string[]): readonly string[] | undefined {
  if (part === undefined) return at.methods
  const named = at.named.get(part)
  return (named && methodsAt(named, rest)) ?? (at.any && part ? methodsAt(at.any, rest) : undefined)
}
