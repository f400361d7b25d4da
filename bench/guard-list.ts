/** A guard that every request passes, and how this measurement leaves it out: by another text in its place, in this process only. */
export interface Guard {
  readonly name: string
  /** Below the project's folder. */
  readonly file: string
  /** A text that stands once in the file, and what it is without the guard. */
  readonly text: string
  readonly without: string
}

const first = (declaration: string) => ({ text: declaration, without: `${declaration}\n  return\n` })

export const GUARDS: readonly Guard[] = [
  {
    name: 'headers of every answer, content security policy',
    file: 'src/server/http/headers.ts',
    ...first("export function sendHeaders(app: FastifyInstance, config: Pick<Config, 'publicUrl'>): void {"),
  },
  {
    name: 'other origins',
    file: 'src/server/http/app.ts',
    text: '...crossOrigin(engine.config, request),',
    without: "vary: 'Accept',",
  },
  {
    name: 'no-store for personal answers',
    file: 'src/server/http/app.ts',
    text: "if (!reply.hasHeader('cache-control'))",
    without: 'if (false)',
  },
  {
    name: 'odd characters in addresses and cookies',
    file: 'src/server/http/app.ts',
    text: '    cleanRecords(request)\n',
    without: '',
  },
  {
    name: 'bodies that stop coming',
    file: 'src/server/http/stalled.ts',
    ...first('export function endStalled(server: Server, { silence }: Patience): void {'),
  },
  {
    name: 'bodies that are nested deeply',
    file: 'src/server/http/json.ts',
    text: 'if (isTooDeep(text))',
    without: 'if (false)',
  },
  {
    name: 'visits that look only',
    file: 'src/server/http/app.ts',
    text: 'if (actor?.looksOnly && changesSomething(e) && !e.whileLooking)',
    without: 'if (false)',
  },
  {
    name: 'what an action does not say that it takes',
    file: 'src/server/http/endpoints.ts',
    text: 'a.filters ? { ...change, query: c.query } : change',
    without: '{ ...change, query: c.query }',
  },
  {
    name: 'connections that fall silent',
    file: 'src/server/db/line.ts',
    text: 'if (this.owed++ === 0) this.heardAt = performance.now()\n',
    without: 'return send(this)\n',
  },
  {
    name: 'time limits of statements and locks',
    file: 'src/server/db/server.ts',
    text: 'const limits = (statementSeconds: number) =>',
    without:
      "const limits = (_: number) => 'SET statement_timeout = 0'\nexport const unused = (statementSeconds: number) =>",
  },
  {
    name: 'names for the statements used last only',
    file: 'src/server/db/names.ts',
    text: 'if (name) return moveToEnd(this.names, text, name)',
    without: 'if (name) return name',
  },
]
