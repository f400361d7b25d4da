/** Event in a stream. A keep-alive has no event name. */
export interface StreamEvent {
  readonly event: string
  readonly data: string
}

/** Yields a stream's events as they arrive, even if an event is split across chunks. */
export async function* readStreamEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const parts = (rest + value).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) yield readEvent(part)
  }
}

function readEvent(part: string): StreamEvent {
  const fields = part.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? [])
  const all = (name: string) => fields.filter(([, field]) => field === name).map(([, , value]) => value ?? '')
  return { event: all('event').at(-1) ?? '', data: all('data').join('\n') }
}
