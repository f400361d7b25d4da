/** What a service answered. */
export interface Answered {
  readonly status: number
  /** JSON, read; `undefined` where the status is no success. */
  readonly body: unknown
}

interface Call {
  readonly headers: Readonly<Record<string, string>>
  /** For the whole of the answer. */
  readonly timeoutMs: number
  /** Bytes of the answer, at the most. */
  readonly most: number
}

/**
 * Asks a service: within a time, up to a size, and at the address that the settings name and no other: a redirect is an answer like any,
 * with its status, and is not followed. Bytes are there where the status is a success. Throws where there is no answer, or none within its size.
 */
export async function callForBytes(
  url: string,
  { headers, timeoutMs, most }: Call,
): Promise<{ readonly status: number; readonly bytes: Buffer | undefined }> {
  const answer = await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  if (!answer.ok) {
    await answer.body?.cancel()
    return { status: answer.status, bytes: undefined }
  }
  return { status: answer.status, bytes: await readUpTo(answer, most) }
}

/**
 * Sends a service JSON; it may answer in words. The same rules hold: within a time, up to a size, at the address that the settings name.
 * Throws where there is no answer.
 */
export async function sendToService(
  url: string,
  body: unknown,
  { headers, timeoutMs, most }: Call,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  return { status: answer.status, text: (await readUpTo(answer, most)).toString('utf8') }
}

/** Asks a service for JSON, likewise; throws where its answer is none. */
export async function callService(url: string, call: Call): Promise<Answered> {
  const { status, bytes } = await callForBytes(url, call)
  return { status, body: bytes && JSON.parse(bytes.toString('utf8')) }
}

async function readUpTo(answer: Response, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop ends the connection.
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > most) throw new Error(`The answer is longer than ${most} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
