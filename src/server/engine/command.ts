import type { Engine } from './types.ts'

/** Something that is done at the command line: `npm run portal -- import leads FILE.csv`. */
export interface Command {
  /** The words that it is called by: `import leads`. */
  readonly name: string
  /** Its lines of the help. */
  readonly help: string
  /** Fetched when it is called. `run` is given what follows the words, and resolves to what it has to say; throws one sentence. */
  readonly load: () => Promise<{ readonly run: (engine: Engine, args: string[]) => Promise<string> }>
}

/** The number of a client, as it stands behind `--client`. Throws a sentence. */
export function readClient(text: string): number {
  const id = Number(text)
  if (!/^[0-9]+$/.test(text) || !Number.isSafeInteger(id)) throw new Error('--client takes the number of a client.')
  return id
}
