interface PendingQuestion {
  readonly answer: Promise<boolean>
  readonly settle: (answer: boolean) => void
}

/** A question to the person at work that a dialog of the shell puts to them: one at a time, for everything that waits for it. */
export function makeQuestion() {
  let asked: PendingQuestion | undefined
  const listeners = new Set<() => void>()
  const become = (next: PendingQuestion | undefined) => {
    asked = next
    for (const l of listeners) l()
  }
  return {
    isAsked: (): boolean => asked !== undefined,
    subscribe: (l: () => void) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    /** True once it is answered, false where the person declines. */
    ask: (): Promise<boolean> => {
      if (asked) return asked.answer
      const { promise, resolve } = Promise.withResolvers<boolean>()
      become({ answer: promise, settle: resolve })
      return promise
    },
    settle: (answer: boolean): void => {
      asked?.settle(answer)
      become(undefined)
    },
  }
}
