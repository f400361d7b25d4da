import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readStreamEvents, type StreamEvent } from './events.ts'

const TEXT = ': welcome\n\nevent: summary\ndata: {"words":"Zoë – 2"}\n\n: here\n\nevent: over\ndata: {}\n\nevent: half'
const HEARD: StreamEvent[] = [
  { event: '', data: '' },
  { event: 'summary', data: '{"words":"Zoë – 2"}' },
  { event: '', data: '' },
  { event: 'over', data: '{}' },
]

async function hear(pieces: readonly Uint8Array[]) {
  const stream = new ReadableStream<Uint8Array>({
    start: (c) => {
      for (const piece of pieces) c.enqueue(piece)
      c.close()
    },
  })
  const heard: StreamEvent[] = []
  for await (const one of readStreamEvents(stream)) heard.push(one)
  return heard
}

test('stream events are parsed regardless of chunk boundaries, and incomplete events are ignored', async () => {
  const bytes = new TextEncoder().encode(TEXT)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
      const ends = [...cuts.sort((a, b) => a - b), bytes.length]
      expect(await hear(ends.map((end, n) => bytes.slice(n ? ends[n - 1] : 0, end)))).toEqual(HEARD)
    }),
  )
})
