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

/** The address that the settings name, and no other: a redirect is an answer like any, with its status, and is not followed. */
const reach = (
  url: string,
  { headers, timeoutMs }: Omit<Call, 'most'>,
  more: Pick<RequestInit, 'method' | 'body'> = {},
) => fetch(url, { ...more, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })

/**
 * Asks a service: within a time, and up to a size. Bytes are there where the status is a success. Throws where there is no answer, or none
 * within its size.
 */
export async function callForBytes(
  url: string,
  call: Call,
): Promise<{ readonly status: number; readonly bytes: Buffer | undefined }> {
  const answer = await reach(url, call)
  if (!answer.ok) {
    await answer.body?.cancel()
    return { status: answer.status, bytes: undefined }
  }
  return { status: answer.status, bytes: await readUpTo(answer, call.most) }
}

/**
 * Sends a service JSON, likewise; it may answer in words, whatever its status. Throws where there is no answer.
 */
export async function sendToService(
  url: string,
  body: unknown,
  { headers, timeoutMs, most }: Call,
): Promise<{ readonly status: number; readonly text: string }> {
  const sent = { method: 'POST', body: JSON.stringify(body) }
  const answer = await reach(url, { headers: { 'content-type': 'application/json', ...headers }, timeoutMs }, sent)
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
