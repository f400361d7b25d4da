import { setTimeout as sleep } from 'node:timers/promises'

interface Waiting<In, Out> {
  readonly value: In
  readonly resolve: (out: Out) => void
  readonly reject: (e: unknown) => void
}

/**
 * Does for many at once what each asks for alone: whoever asks while the last portion is being done is in the next one. The answers come
 * in the order of what was asked. `lingerMs`: a portion waits so long for others to join it.
 */
export function inPortions<In, Out>(
  work: (values: readonly In[]) => Promise<readonly Out[]>,
  { lingerMs = 0 } = {},
): (value: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let busy = false
  const go = async () => {
    busy = true
    while (waiting.length) {
      // Those who ask in the same moment go together.
      await (lingerMs ? sleep(lingerMs) : Promise.resolve())
      const portion = waiting
      waiting = []
      try {
        const answers = await work(portion.map(({ value }) => value))
        for (const [i, { resolve }] of portion.entries()) resolve(answers[i] as Out)
      } catch (e) {
        for (const { reject } of portion) reject(e)
      }
    }
    busy = false
  }
  return (value) =>
    new Promise<Out>((resolve, reject) => {
      waiting.push({ value, resolve, reject })
      if (!busy) void go()
    })
}
