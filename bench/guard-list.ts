/** A guard that every request passes, and the source text that switches it off in this process only. */
export interface BenchGuard {
  readonly name: string
  /** File path, relative to the project root. */
  readonly file: string
  /** Text that occurs exactly once in the file. */
  readonly text: string
  /** The same text with a switch added; `off` is an expression that is true while the guard is off. */
  readonly switched: (off: string) => string
}

export const BENCH_GUARDS: readonly BenchGuard[] = [
  {
    name: 'headers of every response, including the content security policy',
    file: 'src/server/http/headers.ts',
    text: "app.addHook('onSend', (_request, reply, payload, done) => {",
    switched: (off) =>
      `app.addHook('onSend', (_request, reply, payload, done) => { if (${off}) return done(null, payload)`,
  },
  {
    name: 'CORS headers',
    file: 'src/server/http/app.ts',
    text: '...corsHeaders(engine.config, request),',
    switched: (off) => `...(${off} ? { vary: 'Accept, Accept-Encoding' } : corsHeaders(engine.config, request)),`,
  },
  {
    name: 'no-store for personal responses',
    file: 'src/server/http/app.ts',
    text: "if (!reply.hasHeader('cache-control'))",
    switched: (off) => `if (!${off} && !reply.hasHeader('cache-control'))`,
  },
  {
    name: 'invalid characters in URLs and cookies',
    file: 'src/server/http/app.ts',
    text: '    sanitiseRequestText(request)\n',
    switched: (off) => `    if (!${off}) sanitiseRequestText(request)\n`,
  },
  {
    name: 'request bodies that stop arriving',
    file: 'src/server/http/slow-requests.ts',
    text: 'if (!hasBody(request)) return',
    switched: (off) => `if (${off} || !hasBody(request)) return`,
  },
  {
    name: 'request bodies that are nested too deeply or contain too many values',
    file: 'src/server/http/json.ts',
    text: 'const beyond = measure(text)',
    switched: (off) => `const beyond = ${off} ? undefined : measure(text)`,
  },
  {
    name: 'request limits per user and client',
    file: 'src/server/http/request-limits.ts',
    text: '    if (upload || takesOwnTurns) return work()\n',
    switched: (off) => `    if (${off} || upload || takesOwnTurns) return work()\n`,
  },
  {
    name: 'read-only impersonation',
    file: 'src/server/http/app.ts',
    text: 'if (actor?.looksOnly &&',
    switched: (off) => `if (!${off} && actor?.looksOnly &&`,
  },
  {
    name: 'detection of silent database connections',
    file: 'src/server/db/connection.ts',
    text: 'if (this.owed++ === 0) this.signs++',
    switched: (off) => `if (${off}) return send(this)\n    if (this.owed++ === 0) this.signs++`,
  },
  {
    name: 'prepared statements only for recently used queries',
    file: 'src/server/db/pipeline.ts',
    text: 'known.isUsed = true',
    switched: (off) => `if (!${off}) known.isUsed = true`,
  },
  {
    name: 'missing or multiple Host headers',
    file: 'src/server/http/app.ts',
    text: '    requireSingleHost(request.raw)\n',
    switched: (off) => `    if (!${off}) requireSingleHost(request.raw)\n`,
  },
  {
    name: 'absolute URLs in the request line',
    file: 'src/server/http/app.ts',
    text: "  if (url.startsWith('/')) return url\n",
    switched: (off) => `  if (${off}) return url\n  if (url.startsWith('/')) return url\n`,
  },
]
