export interface ServiceResponse {
  readonly status: number
  /** Parsed JSON; `undefined` unless the status indicates success. */
  readonly body: unknown
}

interface Call {
  readonly headers: Readonly<Record<string, string>>
  /** Time limit for the complete response, in milliseconds. */
  readonly timeoutMs: number
  /** Maximum size of the response in bytes. */
  readonly most: number
}

/** Requests only the configured URL. Redirects are returned, not followed. */
const reach = (
  url: string,
  { headers, timeoutMs }: Omit<Call, 'most'>,
  more: Pick<RequestInit, 'method' | 'body'> = {},
) => fetch(url, { ...more, headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })

/**
 * Requests bytes from a service, with limits for time and size. Returns the bytes only if the status indicates success.
 * Throws if there is no response or if the response is too large.
 */
export async function requestBytes(
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

/** Request of any method. A body that is text is sent as it is, with its content type in `headers`. */
interface ServiceRequest {
  readonly method: 'GET' | 'POST'
  readonly body?: string
}

/** Calls a service with the same limits. The response may be plain text and may have any status. Throws if there is none. */
export async function callService(
  url: string,
  sent: ServiceRequest,
  { headers, timeoutMs, most }: Call,
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await reach(url, { headers, timeoutMs }, sent)
  return { status: answer.status, text: (await readUpTo(answer, most)).toString('utf8') }
}

/** Sends JSON to a service. */
export const postToService = (url: string, body: unknown, { headers, ...limits }: Call) =>
  callService(
    url,
    { method: 'POST', body: JSON.stringify(body) },
    { headers: { 'content-type': 'application/json', ...headers }, ...limits },
  )

/** Requests JSON from a service, with the same limits. Throws if the response is not JSON. */
export async function requestJson(url: string, call: Call): Promise<ServiceResponse> {
  const { status, bytes } = await requestBytes(url, call)
  return { status, body: bytes && JSON.parse(bytes.toString('utf8')) }
}

async function readUpTo(answer: Response, most: number): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop closes the connection.
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > most) throw new Error(`The response is longer than ${most} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
