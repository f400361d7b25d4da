interface Waiting<In, Out> {
  readonly value: In
  readonly resolve: (out: Out) => void
  readonly reject: (e: unknown) => void
}

/**
 * Does for many at once what each asks for alone: whoever asks while the last portion is being done is in the next one. The answers come
 * in the order of what was asked.
 */
export function inPortions<In, Out>(
  work: (values: readonly In[]) => Promise<readonly Out[]>,
): (value: In) => Promise<Out> {
  let waiting: Waiting<In, Out>[] = []
  let busy = false
  const go = async () => {
    busy = true
    // Those who ask in the same moment go together.
    await Promise.resolve()
    while (waiting.length) {
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
