import { connect } from 'node:net'

interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Sends raw bytes to an origin, and reads until the server closes the connection. */
export async function sendRaw(origin: string, bytes: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part as Buffer)
  return parseRawResponse(Buffer.concat(parts).toString())
}

/** Parses the only response on a connection. */
export function parseRawResponse(all: string): RawAnswer {
  const [head = '', text = ''] = all.split(/\r\n\r\n(.*)/s)
  const [line = '', ...lines] = head.split('\r\n')
  const headers = lines.map((l) => l.split(/:\s*(.*)/s) as [string, string])
  return {
    status: Number(line.split(' ')[1]),
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    text,
  }
}
