import type { Engine } from './engine.ts'

/** Something that is done at the command line: `npm run portal -- import leads FILE.csv`. */
export interface Command {
  /** The words that it is called by: `import leads`. */
  readonly name: string
  /** Its lines of the help. */
  readonly help: string
  /** Fetched when it is called. `run` is given what follows the words, and resolves to what it has to say; throws one sentence. */
  readonly load: () => Promise<{ readonly run: (engine: Engine, args: string[]) => Promise<string> }>
}
