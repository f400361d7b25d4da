import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Reads a line from a terminal without echo. */
export async function readHiddenLine(terminal: NodeJS.ReadableStream): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const prompt = createInterface({ input: terminal, output: nowhere, terminal: true })
  try {
    return await prompt.question('')
  } finally {
    prompt.close()
  }
}
