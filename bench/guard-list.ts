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

export const GUARDS: readonly BenchGuard[] = [
  {
    name: 'headers of every answer, content security policy',
    file: 'src/server/http/headers.ts',
    text: "app.addHook('onSend', (_request, reply, payload, done) => {",
    switched: (off) =>
      `app.addHook('onSend', (_request, reply, payload, done) => { if (${off}) return done(null, payload)`,
  },
  {
    name: 'other origins',
    file: 'src/server/http/app.ts',
    text: '...corsHeaders(engine.config, request),',
    switched: (off) => `...(${off} ? { vary: 'Accept, Accept-Encoding' } : corsHeaders(engine.config, request)),`,
  },
  {
    name: 'no-store for personal answers',
    file: 'src/server/http/app.ts',
    text: "if (!reply.hasHeader('cache-control'))",
    switched: (off) => `if (!${off} && !reply.hasHeader('cache-control'))`,
  },
  {
    name: 'odd characters in addresses and cookies',
    file: 'src/server/http/app.ts',
    text: '    sanitiseRequestText(request)\n',
    switched: (off) => `    if (!${off}) sanitiseRequestText(request)\n`,
  },
  {
    name: 'bodies that stop coming',
    file: 'src/server/http/slow-requests.ts',
    text: 'if (!hasBody(request)) return',
    switched: (off) => `if (${off} || !hasBody(request)) return`,
  },
  {
    name: 'bodies that are nested deeply, or hold too much',
    file: 'src/server/http/json.ts',
    text: 'const beyond = measure(text)',
    switched: (off) => `const beyond = ${off} ? undefined : measure(text)`,
  },
  {
    name: 'shares of a person and a client',
    file: 'src/server/http/request-limits.ts',
    text: '    if (upload) return work()\n',
    switched: (off) => `    if (${off} || upload) return work()\n`,
  },
  {
    name: 'visits that look only',
    file: 'src/server/http/app.ts',
    text: 'if (actor?.looksOnly &&',
    switched: (off) => `if (!${off} && actor?.looksOnly &&`,
  },
  {
    name: 'connections that fall silent',
    file: 'src/server/db/connection.ts',
    text: 'if (this.owed++ === 0) this.signs++',
    switched: (off) => `if (${off}) return send(this)\n    if (this.owed++ === 0) this.signs++`,
  },
  {
    name: 'names for the statements used last only',
    file: 'src/server/db/pipeline.ts',
    text: 'known.isUsed = true',
    switched: (off) => `if (!${off}) known.isUsed = true`,
  },
  {
    name: 'hosts that are missing or several',
    file: 'src/server/http/app.ts',
    text: '    requireSingleHost(request.raw)\n',
    switched: (off) => `    if (!${off}) requireSingleHost(request.raw)\n`,
  },
  {
    name: 'addresses that name their host',
    file: 'src/server/http/request-target.ts',
    text: "  if (url.startsWith('/')) return url\n",
    switched: (off) => `  if (${off}) return url\n  if (url.startsWith('/')) return url\n`,
  },
]
