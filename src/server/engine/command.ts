import type { Engine } from './types.ts'

/** A command of `npm run portal -- import leads FILE.csv`. */
export interface Command {
  /** Its words: `import leads`. */
  readonly name: string
  /** Its lines of the help text. */
  readonly help: string
  /** Loaded when it is called. `run` gets the further arguments and resolves to its output; throws one sentence. */
  readonly load: () => Promise<{ readonly run: (engine: Engine, args: string[]) => Promise<string> }>
}

/** Reads the client's number behind `--client`. Throws one sentence. */
export function readClient(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id)) throw new Error('--client takes the number of a client.')
  return id
}
